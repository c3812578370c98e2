"""A study from a script of ten lines: a stranger's problems, chat model, tool and retriever."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from langchain_core.runnables import RunnableLambda

import ansatz as az
from ansatz.experiments.design.resolution import select_by_tags
from ansatz.experiments.running.background import in_background
from tests.commands import ansatz
from tests.experiments.studies import problem
from tests.fakes.behaviours import Answer, Failure
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.scripted_model import ScriptedModel

pytestmark = pytest.mark.long

SCRIPT = '''
import os
import ansatz as az
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_openai import ChatOpenAI

PAGES = InMemoryVectorStore.from_texts(["p = rho g h", "Q = v A"], DeterministicFakeEmbedding(size=4))

def shaft_power(flow: float, head: float) -> float:
    """Shaft power of a pump in kW, from flow in L/s and head in m."""
    return 9.81 * flow * head / 1000

problems = az.problems([(f"Pump {n} lifts {n} L/s by 10 m. Shaft power?", f"{0.0981 * n} kW") for n in range(1, 16)])
chat = ChatOpenAI(model="local", base_url=os.environ["SERVER"], api_key="unused", max_retries=0)
handbook = az.WithRetriever(PAGES.as_retriever(name="handbook, 2nd edition"), top=1)
tool = az.WithTools(shaft_power, prompt="Use `shaft_power`.")
study = az.Study("pumps", models=[chat], problems=problems, scorers=[az.Outcome()],
                 arms={"handbook": handbook, "tool": tool, "both": [handbook, tool]})
if __name__ == "__main__":
    print(study.run(os.environ["OUT"]).deltas())
'''
STUDY = """
name: pumps
models: ["pumps.py:chat"]
problems: ["pumps.py:problems"]
scorers: [outcome]
arms:
  handbook: {"pumps.py:handbook": }
  tool: {with_tools: {tools: ["pumps.py:shaft_power"], prompt: "Use `shaft_power`."}}
  both: {"pumps.py:handbook": , "pumps.py:tool": }
"""
UNITS, REQUESTS = 60, 90


def reply(request):
    """Right where a tool may be called, and otherwise a guess."""
    messages = request.body["messages"]
    if messages[-1]["role"] == "tool":
        return Answer(f"answer = {messages[-1]['content']} kW")
    number = int(messages[-1]["content"].partition("Pump ")[2].split()[0])
    if "tools" in request.body:
        return Answer(calls=(("shaft_power", {"flow": number, "head": 10}),))
    return Answer("answer = 1 kW")


def close(chat):
    """A stranger's chat model closes its own connections, on the loop of our runs that opened them."""
    in_background(chat.root_async_client.close())


@contextmanager
def served_chat():
    from langchain_openai import ChatOpenAI

    with OpenAIServer(reply) as server:
        yield (chat := ChatOpenAI(model="local", base_url=server.base_url, api_key="unused", max_retries=0))
        close(chat)


@pytest.mark.slow
def test_ten_lines_are_a_study_and_its_folder_needs_no_script(tmp_path, monkeypatch):
    (tmp_path / "pumps.py").write_text(SCRIPT)
    (tmp_path / "study.yaml").write_text(STUDY)
    out = tmp_path / "run"
    with OpenAIServer(reply) as server:
        environment = {**os.environ, "SERVER": server.base_url, "OUT": str(out)}
        script = [sys.executable, "pumps.py"]
        printed = subprocess.check_output(script, cwd=tmp_path, env=environment, text=True, timeout=120)
        assert "tool" in printed and "p_holm" in printed
        paid = len(server.requests)
        assert paid == REQUESTS
        monkeypatch.setenv("SERVER", server.base_url)
        study = az.Study.from_yaml(tmp_path / "study.yaml")
        assert study.run(tmp_path / "copy").counts == {"planned": UNITS, "scored": UNITS, "failed": 0}
        assert len(server.requests) == paid + REQUESTS
        shutil.copytree(out, tmp_path / "moved")
        resumed = study.run(tmp_path / "moved")  # the script's own run, gone on with from the file
        assert len(server.requests) == paid + REQUESTS, "equal unit keys: nothing is asked again"
        assert resumed.deltas().drop("model").equals(az.Run(out).deltas().drop("model"))
        close(study.models["pumps.py:chat"].model)
    for name in ("pumps.py", "study.yaml"):
        (tmp_path / name).unlink()
    done = ansatz("report", tmp_path / "moved")
    assert done.returncode == 0 and "handbook" in done.stdout, done.stderr


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with served_chat() as chat:
        yield az.Study(
            "pumps",
            models=az.Model(chat, "mine", input_price=1, output_price=2),
            problems=[(f"Pump {n} lifts {n} L/s by 10 m?", f"{0.0981 * n} kW") for n in (1, 2)],
            arms={"tool": shaft_power},
            scorers=[az.Outcome()],
        ).run(tmp_path_factory.mktemp("pumps") / "run")


def shaft_power(flow: float, head: float) -> float:
    """Shaft power of a pump in kW, from flow in L/s and head in m."""
    return 9.81 * flow * head / 1000


def test_frames_hold_deltas_and_attempts(run):
    deltas = run.deltas()
    columns = "model arm dimension estimate low high p low_simultaneous high_simultaneous p_adjusted p_holm pairs dropped"
    assert deltas.columns == columns.split()
    [row] = deltas.filter(dimension="outcome").to_dicts()
    assert (row["arm"], row["pairs"], row["dropped"]) == ("tool", 2, 0)
    assert row["estimate"] > 0.9
    assert {"tokens", "seconds", "dollars"} < set(deltas["dimension"])
    attempts = run.attempts()
    assert len(attempts) == 4 and attempts["arm"].to_list().count("tool") == 2
    assert attempts.filter(arm="tool").equals(run["tool"])
    messages = json.loads(run["tool"]["messages"][0])
    assert [each["role"] for each in messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert run["tool"]["dollars"].to_list() == [(20 + 2 * 10) / 1e6] * 2
    assert run.errors.is_empty()
    with pytest.raises(az.StudyError, match="no arm 'tol'; did you mean 'tool'"):
        run.attempts("tol")


def test_a_run_shows_itself(run):
    assert "4 of 4 attempts scored" in repr(run) and "<pre" in run._repr_html_()
    figure = run.plot()
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["tool"]
    assert run.report().markdown.read_text(encoding="utf-8").count("tool")
    printed = str(run)
    assert printed.startswith(repr(run)) and "Δ from baseline" in printed
    assert max(map(len, printed.splitlines()[1:])) <= 100


SCORERS = """
from dataclasses import dataclass
import ansatz as az
from langchain_openai import ChatOpenAI

@dataclass(frozen=True)
class Words:
    most: int = 5
    dimensions = (az.Dimension("words"),)

    async def score(self, context):
        count = len(context.transcript.answer.split())
        return (az.Score(dimension="words", value=float(count <= self.most), evidence=f"{count} words"),)

def judge():
    return ChatOpenAI(model="judge", base_url="SERVER", api_key="unused", max_retries=0)
"""
SCORED = """
name: scored
models: ["judges.py:judge"]
problems: [{benchmark: file, settings: {path: items.jsonl}}]
scorers:
  - outcome
  - judges.py:Words: {most: 3}
  - model_graded: {criteria: 'Is it short?', model: {name: "judges.py:judge", label: j, input_price: 1, output_price: 2}}
answer_reader: {model: "judges.py:judge"}
"""


def test_a_study_file_refers_to_scorers_judges_and_readers(tmp_path):
    def served(request):
        tools = str(request.body.get("tools", ""))
        if "record_values" in tools:
            return Answer(calls=(("record_values", {"answer": {"value": 1, "unit": "kW"}}),))
        marks = {"justification": "so", "points": 2}
        return Answer(calls=(("record_marks", marks),)) if "record_marks" in tools else Answer("1 kW")

    (tmp_path / "items.jsonl").write_text('{"question": "How much?", "answer": "1 kW"}\n')
    (tmp_path / "study.yaml").write_text(SCORED)
    with OpenAIServer(served) as server:
        (tmp_path / "judges.py").write_text(SCORERS.replace("SERVER", server.base_url))
        study = az.Study.from_yaml(tmp_path / "study.yaml")
        run = study.run(tmp_path / "run")
        assert az.Study.from_run(tmp_path / "run").run(tmp_path / "run").counts == run.counts
        close(study.models["judges.py:judge"].client.chat)
    [row] = run.attempts().iter_rows(named=True)
    assert (row["words"], row["graded"], row["outcome"]) == (1.0, 1.0, 1.0), row
    assert any(note.startswith("Judge j: ") for note in run.notes)
    shown = " ".join(str(run).split())
    assert "graded: Is it short? Cost: " in shown


def test_failures_have_a_row_with_their_reason(tmp_path):
    def out_of_order(request):
        return Failure(400, "no such thing") if "tools" in request.body else reply(request)

    with OpenAIServer(out_of_order) as server:
        model = az.Model("openai:m", settings={"base_url": server.base_url})
        problems = [("Pump 1 lifts 1 L/s by 10 m?", "0.0981 kW")]
        run = az.Study("x", models=model, problems=problems, arms={"tool": shaft_power}).run(tmp_path / "run")
    [row] = run.errors.to_dicts()
    assert row["arm"] == "tool" and "no such thing" in row["error"]
    assert run["tool"]["outcome"].to_list() == [None]
    [failure] = [line for line in str(run).splitlines() if line.startswith("Most frequent failure (1): ")]
    assert "no such thing" in failure


async def test_it_runs_within_a_running_loop_and_again(tmp_path):
    """As in a notebook; a chat model whose connections live on serves several runs."""
    with served_chat() as chat:
        for number in range(2):
            problems = [(f"Pump {number + 1} lifts 1 L/s by 10 m?", "0.0981 kW")]
            study = az.Study("x", models=chat, problems=problems, arms={"tool": shaft_power})
            assert study.run(tmp_path / str(number)).counts["scored"] == 2
    assert "_repr_html_" in dir(study) and "<table" in study._repr_html_()


def test_a_benchmark_is_chosen_from_by_settings_and_tags():
    chosen = az.benchmark("tps", domains=["radiation"], level=["L2", "L3"], instances=2, limit=5)
    assert {each.tags["level"] for each in chosen} <= {"L2", "L3"} and len(chosen) == 5
    assert chosen == tuple(
        select_by_tags(
            az.benchmark("tps", domains=["radiation"], instances=2), {"level": ["L2", "L3"]}, "tps"
        )[:5]
    )
    with pytest.raises(az.StudyError, match="no tag 'levl'; did you mean 'level'"):
        az.benchmark("tps", domains=["radiation"], levl="L2")
    with pytest.raises(az.StudyError, match="did you mean 'tps'"):
        az.benchmark("tpz")
    with pytest.raises(az.StudyError, match=r"^where.level: must be text or a list, not 1$"):
        az.benchmark("tps", level=1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"models": []}, "there is no model to ask"),
        ({"models": 3}, "3 is not a model"),
        ({"models": az.Model(ScriptedModel(replies=[]), settings={"seed": 0})}, "ScriptedModel is an object: set seed where it is"),
        ({"models": [ScriptedModel(replies=[]), ScriptedModel(replies=[])]}, "two are called 'ScriptedModel'"),
        ({"models": [az.Model("offline:slide-rule", label=label) for label in "ab"]}, "models 'a' and 'b' have identical settings in arm 'baseline'"),
        ({"arms": [az.Calculator()]}, "one_at_a_time"),
        ({"arms": {"a": 3}}, "int is not an intervention"),
        ({"arms": {"a": "calculator"}}, r"^arms\.a: 'calculator' is a text, not an intervention"),
        ({"arms": {"a": lambda x: x}}, "needs a docstring"),
        ({"arms": {"a": az.Calculator}}, r"is a class, not an intervention; write Calculator\(\)"),
        ({"arms": {3: az.Calculator()}}, "arms: a name must be text in one line, not 3"),
        ({"baseline": "bare"}, "there is no arm 'bare'"),
        ({"scorers": [3]}, "int is not a scorer"),
        ({"scorers": [az.Outcome]}, "Outcome is a class, not a scorer"),
        ({"problems": ["How much?"]}, r"problems\[0\]: must be a pair"),
        ({"problems": []}, "problems: there is no problem"),
        ({"scorers": True}, "bool is not a scorer"),
        ({"arms": {"a": [az.WithAgent(problem), az.Calculator()]}}, "calculator has no effect on your own agent"),
        ({"arms": {"a": [az.WithAgent(problem), az.WithAgent(lambda model: model)]}}, "two agents cannot answer one"),
        ({"arms": {"a": [az.WithAgent(RunnableLambda(str), name="v1"), az.WithModelSettings(seed=3)]}}, "model_settings has no effect on your own agent"),
        ({"arms": {"a": [az.Calculator(), az.Calculator(timeout_seconds=3)]}}, "two tools are called 'run_python'"),
        ({"arms": {"a": [az.Critic(), az.Critic(rounds=2)]}}, "two reviews are called 'critic'"),
        ({"arms": {"a": [az.FewShot(), az.FewShot(examples=2)]}}, "two few_shot in one arm"),
        ({"arms": {"a": [az.WithModelSettings(seed=3), az.WithModelSettings(seed=4)]}}, "seed of the model is set twice"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_one_line(wrong, message):
    whole = {"models": "offline:slide-rule", "problems": [problem(1)], "arms": {"a": az.Calculator()}}
    with pytest.raises(az.AnsatzError, match=message) as failure:
        az.Study(**{"name": "x", **whole, **wrong})
    assert "\n" not in str(failure.value)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_that_was_forked_runs_studies_of_its_own(tmp_path):
    study = az.Study("x", models="offline:slide-rule", problems=[problem(1)])
    study.run(tmp_path / "before")
    child = os.fork()
    if not child:
        signal.alarm(60)  # what waits for a loop of the other process waits for ever
        scored = 0
        try:
            scored = study.run(tmp_path / "after").counts["scored"]
        finally:
            os._exit(scored)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_designs_name_their_arms():
    one, other, si = az.Calculator(), az.Placebo(), az.WithPrompt("Use SI units.")
    assert list(az.one_at_a_time(one, other)) == ["calculator", "placebo"]
    assert list(az.full_factorial(one, other)) == ["calculator", "placebo", "calculator+placebo"]
    assert list(az.full_factorial(one, a=other, b=si))[-2:] == ["a+b", "calculator+a+b"]
    assert list(az.one_at_a_time(short=one, long=az.Calculator(timeout_seconds=9))) == ["short", "long"]
    with pytest.raises(az.StudyError, match="give names by keyword"):
        az.one_at_a_time(az.Calculator(), az.Calculator(timeout_seconds=3))
    with pytest.raises(az.StudyError, match="not a dict of switches"):
        az.full_factorial({"calc": az.Calculator()})


def test_a_run_is_read_again_when_its_folder_changes(tmp_path):
    pairs = [(f"What is 2 * {n} m?", f"{2 * n} m") for n in (21, 22)]
    study = az.Study("s", models="offline:slide-rule", problems=pairs)
    run = study.only(limit=1).run(tmp_path)
    first = run.results
    assert run.counts["scored"] == len(first.attempts) == 1 and run.results is first
    study.run(tmp_path)
    assert run.counts["scored"] == len(run.results.attempts) == 2


def test_a_study_reads_a_csv_by_the_names_of_its_columns(tmp_path):
    """A script and a study file take `fields`; both make the same problems."""
    (tmp_path / "p.csv").write_text("prompt;target;topic\nShaft power?;1.51 kW;pumps\nFlow?;laminar;pipes\n")
    (tmp_path / "study.yaml").write_text(
        "name: x\nmodels: [offline:slide-rule]\nproblems: [{benchmark: file, settings: "
        "{path: p.csv, fields: {question: prompt, answer: target, family: topic}}}]\n"
    )
    fields = {"question": "prompt", "answer": "target", "family": "topic"}
    study = az.Study("x", models="offline:slide-rule", problems=tmp_path / "p.csv", fields=fields)
    assert study.problems == az.Study.from_yaml(tmp_path / "study.yaml").problems
    assert [each.family for each in study.problems.values()] == ["pumps", "pipes"]

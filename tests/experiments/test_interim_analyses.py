"""Arms are found or given up one by one at interim analyses, and success is the star of the report."""

import json
import re

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

import ansatz as az
from ansatz.errors import AnsatzError, ModelError, SettingError, StudyError
from ansatz.experiments.design.study_settings import Futility, Stopping
from ansatz.experiments.report import to_json
from ansatz.experiments.results import System
from ansatz.experiments.run import Run
from ansatz.experiments.running.progress import Progress
from ansatz.experiments.study import Study
from ansatz.experiments.view.overview import overview

WRONG = {"good": lambda n: False, "equal": lambda n: n % 3 > 0, "bad": lambda n: n % 6 > 0}
ARMS = "{good: {with_prompt: {text: arm good}}, equal: {with_prompt: {text: arm equal}}, bad: {with_prompt: {text: arm bad}}}"
STOP = "{looks: 4, futility: {difference: 0.2}}"


class ByArm(BaseChatModel):
    """Answers right or wrong by the number of the problem and the arm, which its prompt names."""

    can_be_helped: bool = True
    _asked: list[str] = PrivateAttr(default_factory=list)

    @property
    def asked(self):
        return self._asked

    @property
    def _llm_type(self):
        return "by-arm"

    def _generate(self, messages, *args, **kwargs):
        text = "\n".join(each.text for each in messages)
        self.asked.append(text)
        number = int(re.search(r"Problem (\d+)", text)[1])
        arm = re.search(r"arm (\w+)", text)
        is_wrong = WRONG[arm[1] if arm and self.can_be_helped else "equal"](number)
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        reply = AIMessage(f"Q = {0 if is_wrong else number + 1} J", usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=reply)])


MODEL, STUBBORN = ByArm(), ByArm(can_be_helped=False)


def load(folder, *, stop=STOP, problems=60, arms=ARMS, further=""):
    lines = [
        {"question": f"Problem {n}: how large is Q?\n\nQ = ___ J", "answer": f"{n + 1} J"}
        for n in range(problems)
    ]
    (folder / "p.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "study.yaml").write_text(
        f"name: s\nmodels: [{{name: '{__name__}:MODEL', concurrency: 1}}]\narms: {arms}\nscorers: [outcome]\n"
        f"problems: [{{benchmark: file, settings: {{path: p.jsonl}}}}]\nstop: {stop}\n{further}"
    )
    return Study.from_yaml(folder / "study.yaml")


def decisions(run):
    return {
        each["arm"]: (each["decision"], each["fraction"]) for each in to_json(run.results)["stopping"]["arms"]
    }


def starred(run):
    data = run.results
    return {
        place[1]
        for place, each in data.main_comparisons.verdicts.items()
        if place[2] in data.primary and each.is_significant
    }


def test_arms_are_decided_one_by_one(tmp_path):
    """The baseline is asked as long as an arm is open, and every report says what was decided."""
    MODEL.asked.clear()
    run = load(tmp_path).run(tmp_path / "run", progress=False)
    found = decisions(run)
    assert found["good"][0] == "success" and found["equal"][0] == "futile"
    counts = run.attempts().group_by("arm").len()
    asked = dict(zip(counts["arm"], counts["len"], strict=True))
    assert {arm: asked[arm] / 60 for arm in found} == {arm: share for arm, (_, share) in found.items()}
    assert asked["baseline"] == max(asked[arm] for arm in found)
    assert len(MODEL.asked) == sum(asked.values()) == run.counts["scored"] < 240
    assert run.results.is_complete and starred(run) == {
        arm for arm, (what, _) in found.items() if what == "success"
    }
    report, shown = run.report().markdown.read_text(), str(run)
    for line in overview(run.results)["stopping"]:
        assert line in report and line.split()[0] in shown
    assert f"Asked {sum(asked.values())} of 240 requests." in report
    assert "Stopping exaggerates" in report and "equal: given up" in report
    threshold = "the bound of its interim analysis"  # never 0.05: each analysis has a level of its own
    assert overview(run.results)["threshold"] == threshold
    assert report.count(f"p < {threshold}") == 2 and "p < 0.05" not in report
    assert (
        run.contrast("good", "equal").height and overview(run.results.with_baseline("bad"))["stopping"] == []
    )
    level = run.results.level_of(System(run.results.models[0], "good"))
    compared = az.compare(f"{run.folder}@baseline", f"{run.folder}@good")
    assert level > 0.95 and all(each.level == pytest.approx(level) for each in compared.verdicts)


def test_the_last_analysis_gives_nothing_up(tmp_path):
    """The difference is excluded after all families, but not after half of them."""
    stop = "{looks: 2, futility: {difference: 0.05}}"
    arms = "{equal: {with_prompt: {text: arm equal}}}"
    run = load(tmp_path, stop=stop, problems=24, arms=arms).run(tmp_path / "run", progress=False)
    assert decisions(run) == {"equal": ("open", 1.0)}
    assert any("equal: not found after 100%" in line for line in overview(run.results)["stopping"])


class Killing(Progress):
    """Ends the run after a number of attempts."""

    def __init__(self, after):
        super().__init__()
        self.after = after

    def advance(self, failure, *notes):
        self.after -= 1
        if not self.after:
            raise ModelError("killed")


async def test_an_interrupted_run_ends_like_an_undisturbed_one(tmp_path):
    """It is interrupted in two parts, and resumed from its study and from its folder."""
    study, folder = load(tmp_path), tmp_path / "killed"
    quiet = await study.arun(tmp_path / "quiet")
    MODEL.asked.clear()
    for resumed, after in ((study, 75), (Study.from_run, 30)):
        with pytest.raises(ModelError, match="killed"):
            await (resumed if resumed is study else resumed(folder)).arun(folder, progress=Killing(after))
        assert not Run(folder).results.is_complete
        overview(Run(folder).results)  # also within a part
    killed = await Study.from_run(folder).arun(folder)
    assert decisions(killed) == decisions(quiet) and starred(killed) == starred(quiet)
    assert to_json(killed.results)["stopping"] == to_json(quiet.results)["stopping"]
    assert len(MODEL.asked) == quiet.counts["scored"]


def test_only_better_gives_up_harm_and_never_proves_it(tmp_path):
    both = load(tmp_path).run(tmp_path / "both", progress=False)
    only = load(tmp_path, stop="{looks: 4, futility: {difference: 0.2}, only: better}")
    better = only.run(tmp_path / "better", progress=False)
    assert decisions(both)["bad"][0] != "futile" and decisions(better)["bad"][0] == "futile"
    assert decisions(better)["good"] == decisions(both)["good"]
    assert starred(better) == {"good"} and better.counts["planned"] < both.counts["planned"]
    assert any("cannot prove that an arm does harm" in line for line in overview(better.results)["stopping"])


def test_every_model_is_decided_by_itself(tmp_path):
    """A model whose arms are all decided is no longer asked, not even under the baseline."""
    study = load(tmp_path, stop="{looks: 2, futility: {difference: 0.01}}", problems=40)
    models = [az.Model(each, label=name) for name, each in (("m", MODEL), ("stubborn", STUBBORN))]
    arms = {"good": az.WithPrompt("arm good")}
    settings = {"scorers": study.design.scorers, "stop": study.settings.stop}
    run = az.Study("s", models=models, problems=study.problems.values(), arms=arms, **settings).run(
        tmp_path / "r", progress=False
    )
    counts = run.attempts().group_by("model", "arm").len()
    assert {row[:2]: row[2] for row in counts.rows()} == {
        ("m", "baseline"): 20, ("m", "good"): 20, ("stubborn", "baseline"): 40, ("stubborn", "good"): 40,
    }  # fmt: skip
    assert "m, good: found after 50%" in str(run) and "stubborn, good: not found" in str(run)


@pytest.mark.parametrize(("stop", "fault"), [
    ("{futility: 0.1}", "0.1 is the earlier form; write futility: {difference: 0.05}"),
    ("{futility: {difference: 5}}", "less than 1"),
    ("{futility: {}}", "difference"),
    ("{only: worse}", "valid: better"),
    ("{looks: 61}", "less than or equal to 10"),
])  # fmt: skip
def test_a_wrong_rule_is_refused_with_the_right_form(tmp_path, stop, fault):
    with pytest.raises(AnsatzError, match=re.escape(fault)) as refused:
        load(tmp_path, stop=stop)
    assert re.search(r"study.yaml:\d+: stop", str(refused.value)) and "\n" not in str(refused.value)


def test_looks_that_cannot_be_taken_are_refused(tmp_path):
    with pytest.raises(StudyError, match="stop: 4 looks need 8 families, not 6"):
        load(tmp_path, problems=6)
    with pytest.raises(SettingError, match=r"^looks must be less than or equal to 10, not 11$"):
        Stopping(looks=11)
    assert Stopping(futility={"difference": 0.05}) == Stopping(futility=Futility(difference=0.05))

"""The commands of the command line."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import version

import pytest

from tests.commands import ansatz, one_line, process
from tests.experiments.served_study import write_study
from tests.fakes.behaviours import Answer, Slow
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.long

QUESTION = "A duct carries air at p = 101325 Pa and T = 300 K. Find the density rho.\n\nReport your answers as:\nrho = ___ kg/m^3"
STUDY = """\
name: small
models: [offline:slide-rule]
problems: [{benchmark: thermoqa_generated, settings: {tiers: [1], counts: 6, mix: even, seed: 1}}]
arms: {tools: fluid_properties, placebo: placebo}
scorers: [outcome]
"""
SIMULATED = "offline:slide-rule is simulated: a rule-based solver, not a language model"


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "study.yaml").write_text(STUDY)
    done = ansatz("run", folder / "study.yaml", "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder, done


def test_run_prints_a_summary_and_a_second_run_is_refused(ran, tmp_path):
    folder, done = ran
    assert done.stdout.splitlines() == [f"{folder / 'out'}: 18 of 18 attempts scored, 0 failed", SIMULATED]
    assert {file.name for file in (folder / "out").iterdir()} == {"ledger.sqlite", "lock", "manifest.json"}
    (tmp_path / "other.yaml").write_text(STUDY.replace("name: small", "name: other"))
    refused = one_line(ansatz("run", tmp_path / "other.yaml", "--out", folder / "out"))
    assert "has the study 'small', not 'other'" in refused


def test_a_report_is_printed_and_written(ran):
    folder, _ = ran
    report = ansatz("report", folder / "out")
    assert report.returncode == 0, report.stderr
    assert "tools" in report.stdout
    assert "\x1b[" not in report.stdout
    for name in ("report.md", "deltas.csv", "deltas.png"):
        assert (folder / "out" / name).stat().st_size > 100
    assert "simulated" in (folder / "out" / "report.md").read_text().lower()
    assert json.loads(ansatz("report", folder / "out", "--json").stdout)


HEATING = """A probe enters the atmosphere of the Earth at V = 7.2 km/s where the air density is rho = 3e-4 kg/m^3.
Its nose radius is Rn = 0.6 m. Convective stagnation-point heat flux of a cold wall?

Report your answers as:
q = ___ W/m^2"""


def test_solve_reports_answer_equations_and_checks():
    done = ansatz("solve", "-", "--with", "calculator", text=QUESTION)
    assert done.returncode == 0, done.stderr
    assert "rho = 1.17" in done.stdout and SIMULATED in done.stdout
    as_json = ansatz("solve", HEATING, "--json")
    printed = json.loads(as_json.stdout)
    assert (printed["stop"], printed["complete"]) == ("answered", True)
    assert printed["quantities"]["q"]["value"] == pytest.approx(1.45347e6, rel=1e-5)
    [used] = printed["equations"]
    assert used["id"] == "heating.sutton_graves.earth" and "NASA TR R-376" in used["sources"][0]
    assert {each["state"] for each in used["conditions"]} == {"met", "open"}
    assert any("kn < 0.01" in line for line in printed["uncertain"])
    assert "equalities hold" in printed["checks"][0]
    assert as_json.stderr.endswith(f"{SIMULATED}\n")  # may start with a line on waiting for a busy machine


def test_unanswered_question_has_exit_status_1():
    done = ansatz("solve", "What is the meaning of life?")
    assert (done.returncode, SIMULATED in done.stdout) == (1, True)


def test_settings_of_the_model_reach_its_server():
    with OpenAIServer([Answer("42")]) as server:
        given = ("-o", "temperature=0", "--set", "extra.reasoning_effort=low", "--base-url", server.base_url)
        done = ansatz("solve", "How much?", "--model", "openai:m", *given)
    assert (done.returncode, SIMULATED in done.stdout) == (0, False)
    body = server.requests[0].body
    assert (body["temperature"], body["reasoning_effort"]) == (0, "low")


def test_list_has_one_line_for_each_row():
    scorers = json.loads(ansatz("list", "scorers", "--json").stdout)
    shown = ansatz("list", "scorers").stdout.splitlines()
    assert len(shown) == len(scorers) + 1 and max(map(len, shown)) < 220


def test_a_list_of_one_describes_its_settings():
    row = json.loads(ansatz("list", "interventions", "equation_tools", "--json").stdout)["settings"][0]
    assert (row["setting"], row["default"]) == ("top", "5") and "equations" in row["what it is"]
    assert row["what it is"] in ansatz("list", "interventions", "equation_tools").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nowhere.yaml"], "ansatz: nowhere.yaml: no such file"),
        (["report", "nowhere"], "ansatz: nowhere contains no run; start one with `ansatz run STUDY --out nowhere`"),
        (["score", "nowhere", "--judge", "verifier"], "only --scorer can be given with it"),
        (["solve", "?", "--model", "opena:gpt-5"], "opena"),
        (["solve", "?", "--model", "openai:gpt-5"], "OPENAI_API_KEY"),
        (["solve", "?", "--model", "openai:x", "-o", "temprature=0"], "did you mean 'temperature'?"),
        (["solve", "?", "--with", "calculater"], "did you mean 'calculator'?"),
        (["solve", "?", "--with", "equation_retrieval:top"], "write name or name:setting=value"),
        (["solve", "?", "--with", "equation_retrieval:top=[3"], "top: cannot read '[3'"),
        (["solve", "?", "--with", "placebo", "--with", "placebo"], "placebo is given twice"),
        (["solve", "?", "--model", "openai:x", "--base-url", "http://me:s3cret@localhost/v1"], "must not contain a password"),
        (["solve", "?", "--model", "openai:x", "--base-url", "localhost:8000/v1"], "must begin with http://"),
        (["solve", " "], "the question is empty"),
        (["list", "things"], "there is no list of 'things'"),
        (["list", "interventions", "calc"], "did you mean 'calculator'?"),
        (["kb", "show", "shock.normal.pressure"], "shock.normal.pressure_ratio"),
        (["kb", "check", "newtonain"], "ansatz: no entry begins with 'newtonain'; did you mean 'newtonian'?"),
        (["kb", "browse", "tests"], "tests has other files; name a new folder"),
        (["graph", "x.yaml"], "give a study and one of its arms, or interventions by --with"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(arguments, message, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    line = one_line(ansatz(*arguments))
    assert message in line
    assert "s3cret" not in line


def test_graph_of_an_arm_needs_no_key(monkeypatch, tmp_path):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    text = STUDY.replace("offline:slide-rule", "openai:gpt-5").replace("placebo: placebo", "critic: critic")
    (tmp_path / "study.yaml").write_text(text)
    for arm in ("critic", "tools"):
        assert ("critic" in ansatz("graph", tmp_path / "study.yaml", arm).stdout) == (arm == "critic")
    assert "did you mean 'tools'?" in one_line(ansatz("graph", tmp_path / "study.yaml", "tool"))


def test_help_names_every_command_and_keeps_brackets():
    named = " ".join(re.findall(r"^  (\w+) ", ansatz("--help").stdout, re.MULTILINE))
    first = (
        "run plan graph report solve list view show export compare summary score funnel replay label board"
    )
    assert f"{first} kb handbook benchmark data judge sandbox" in named
    assert '"gold": [names], "traps": [names]' in " ".join(ansatz("kb", "evaluate", "-h").stdout.split())
    nothing = ansatz()
    assert (nothing.returncode, "Commands:" in nothing.stdout + nothing.stderr) == (2, True)


def test_knowledge_base_is_searched_and_shown():
    found = json.loads(
        ansatz("kb", "search", "Newtonian pressure coefficient at Mach 20", "-k", 3, "--json").stdout
    )
    assert len(found["hits"]) == 3
    assert "Cp" in ansatz("kb", "show", "newtonian.pressure.sine_squared").stdout


def test_python_m_ansatz_prints_its_version():
    assert process("--version").stdout == f"ansatz {version('ansatz-eval')}\n"


def test_closed_output_is_quiet_and_full_disk_is_one_line():
    reads, writes = os.pipe()
    os.close(reads)
    for target, message in (
        (writes, ""),
        (os.open("/dev/full", os.O_WRONLY), "ansatz: No space left on device\n"),
    ):
        done = process("list", "--json", stdout=target)
        os.close(target)
        assert (done.stderr, done.returncode) == (message, 1)


@pytest.mark.slow
def test_minus_is_printed_in_any_encoding(ran):
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = process("report", ran[0] / "out", env=env, encoding="cp1252")
    assert done.returncode == 0
    assert "[-" in done.stdout and "[?" not in done.stdout


def test_errors_of_a_long_file_are_shortened(tmp_path):
    (tmp_path / "wrong.jsonl").write_text('{"question": "x?"}\n' * 50)
    lines = ansatz("score", "--problems", tmp_path / "wrong.jsonl", "--answers", "x").stderr.splitlines()
    assert len(lines) == 31 and lines[-1] == "ansatz: 20 more faults like these"


@pytest.mark.parametrize(
    ("number", "ignored"),
    [
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.slow),
        (signal.SIGTERM, True),
        (signal.SIGHUP, False),
    ],
)
def test_signals_end_a_run_as_ctrl_c_does(tmp_path, number, ignored):
    """Also in the background, where Ctrl-C is ignored, and when the terminal is closed."""

    def begin():
        signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)

    with OpenAIServer(lambda request: Slow(60.0)) as server:
        study = write_study(tmp_path, server.base_url, problems=2)
        command = [sys.executable, "-m", "ansatz", "run", study, "--out", tmp_path / "out"]
        running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=begin)
        while not server.requests and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(number)
        output = running.communicate(timeout=60)[1]
    assert running.returncode == 130
    assert "Interrupted. Finished attempts are stored; run the same command again to continue." in output
    assert "Traceback" not in output

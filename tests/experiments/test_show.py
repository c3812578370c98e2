"""Looking into a run in the terminal."""

import json

import pytest

from tests.commands import ansatz, one_line
from tests.experiments.view_run import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("run"))


def shown(*arguments):
    done = ansatz("show", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_problem_with_all_arms_is_a_table(run):
    text = shown(run, "--problem", "pump.4#0")
    assert "W = 441.3 J" in text
    rows = [line.split() for line in text.splitlines() if line.startswith(("one", "two"))]
    assert len(rows) == 2 * 3 * 3
    assert rows[0] == ["one", "baseline", "1", "100.0", "150", "0.20", "answered"]


def test_two_arms_are_shown_by_what_differs(run):
    text = shown(run, "--problem", "pump.4#0", "--arm", "baseline", "--arm", "sheet")
    assert "+Use the sheet." in text
    assert "-W = 441.3 J" in text and "+W = 7 J" in text


def test_one_arm_is_shown_with_its_conversation_and_evidence(run):
    text = shown(run, "--problem", "pump.4#0", "--arm", "calculator")
    assert "3 assistant\nrun_python(" in text and "slips 2*3 is 6" in text


def test_nothing_of_a_transcript_steers_the_terminal(run):
    text = shown(run, "--problem", "pump/<b>&0#0", "--arm", "calculator")
    assert "␛[31mred␇␀" in text and "‹U+202E›" in text
    assert not set(text) & {"\x1b", "\x07", "\x00", "\u202e"}


def test_failures_and_losses_are_listed(run):
    failed, sheet, calculator = (
        json.loads(shown(run, *asked, "--json"))
        for asked in (["--failures"], ["--lost-by", "sheet"], ["--lost-by", "calculator"])
    )
    ended = {(row["arm"], row["problem"], row["ended"]) for row in failed}
    assert ended == {("sheet", "pump.3#0", "error"), ("sheet", "pump.7#0", "truncated")}
    lost = [(row["model"], row["problem"], row["change"]) for row in sheet[:2]]
    assert lost == [("one", "pump.4#0", "−100.0"), ("one", "pump.5#0", "−100.0")]
    assert [row["problem"] for row in calculator] == ["pump.4#0"] * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "show takes one of"),
        (("--failures", "--lost-by", "sheet"), "show takes one of"),
        (("--problem", "pump.44#0"), "did you mean 'pump.4#0'"),
        (("--problem", "pump.4#0", "--arm", "shet"), "did you mean 'sheet'"),
        (("--lost-by", "shet"), "did you mean 'sheet'"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_one_line(run, arguments, said):
    assert said in one_line(ansatz("show", run, *arguments))

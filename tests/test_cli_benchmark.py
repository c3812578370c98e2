"""`ansatz benchmark problems` prints or writes the problems of a benchmark."""

import json

import pytest

from ansatz.eval import problem_files
from ansatz.eval.benchmarks import tps
from ansatz.eval.outcome import Outcome
from ansatz.eval.verifier.verifier import Verifier
from ansatz.experiments.study import Study
from ansatz.interventions.prompts import WithPrompt
from tests.commands import ansatz, one_line
from tests.eval.probes.test_probes import DUCT

FEW = "instances=1,domains=[radiation]"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((f"tps:{FEW}", "--only", "radiation.wien_or"), ("# radiation.wien_or_planck#0\n", "Wrong here: radiation.rayleigh_jeans", "Bounds of r_B: 0 to 1 (")),
        (("physbench:count=8",), ("Substitution: I = (9 V)/", "\nFinal Answer: I = ")),
        (("apbench:sets=[earth_moon_points]",), ("# earth_moon_points-0-q5\n", "\nWorked solution:\n")),
    ],
)  # fmt: skip
def test_problems_are_shown_with_their_solutions(words, shown):
    output = ansatz("benchmark", "problems", *words).stdout
    assert all(each in output for each in shown)


def test_written_problems_are_read_by_a_study(tmp_path):
    file = tmp_path / "items.jsonl"
    made = tps.load(instances=1, domains=["radiation"], language="zh")
    done = ansatz("benchmark", "problems", f"tps:{FEW},language=zh", "--out", file)
    assert done.stdout == f"{len(made)} problems in {file}\n"
    assert problem_files.load(file) == made
    last = made[-1].id
    assert ansatz("benchmark", "problems", file, "--only", last).stdout.startswith(f"# {last}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("physbench:count=2",), "ansatz: physbench: count: must be 7 or more"),
        (("tps:languag=zh",), "tps has no setting 'languag'; did you mean 'language'?"),
        (("apbench", "--only", "gibs"), "ansatz: apbench has no problem whose id starts with 'gibs'"),
        (("tps", "--out", "/nowhere/tps.jsonl"), "ansatz: --out: there is no folder /nowhere"),
        (("tpss",), "there is no benchmark 'tpss'; did you mean 'tps'?"),
        (("tpss.jsonl",), "ansatz: tpss.jsonl: No such file"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(words, message):
    assert message in one_line(ansatz("benchmark", "problems", *words))


@pytest.fixture
def ducts(tmp_path):
    """A file with one problem."""
    (tmp_path / "duct.jsonl").write_text(json.dumps(DUCT))
    return tmp_path / "duct.jsonl"


def run_ducts(file, scorer):
    problems = problem_files.load(file)
    arms = {"prompt": [WithPrompt("Convert all givens to SI units first.")]}
    study = Study("ducts", models="offline:slide-rule", problems=problems, arms=arms, scorers=scorer)
    return study.run(file.parent / "run", progress=False)


def test_a_run_adds_the_share_of_arms_that_are_exact(ducts):
    exact = run_ducts(ducts, Outcome()).results.values("exact")
    rows = [
        json.loads(ansatz("benchmark", "difficulty", ducts, *more, "--json").stdout)
        for more in ([], ["--run", ducts.parent / "run"])
    ]
    assert [each["steps"] for [each] in rows] == [1, 1] and "solved_by" not in rows[0][0]
    assert rows[1][0]["solved_by"] == (exact == 1).mean()


@pytest.mark.parametrize(
    ("scorer", "id", "message"),
    [
        (Outcome(), "other", "none of the problems"),
        (Verifier(), "duct", "has no dimension exact; score it with"),
    ],
)
def test_a_run_without_such_scores_is_refused(ducts, scorer, id, message):
    run = run_ducts(ducts, scorer)
    ducts.write_text(json.dumps({**DUCT, "id": id}))
    assert message in one_line(ansatz("benchmark", "difficulty", ducts, "--run", run.folder))

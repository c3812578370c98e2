"""The chapter on PhysBench: its numbers against counts made by hand, and its figures drawn."""

from dataclasses import replace

import pytest

from ansatz.eval.benchmarks.physbench.chapter import chapter as chapter_of
from ansatz.eval.benchmarks.physbench.prefs_rubric import CODES
from ansatz.experiments.report.charts import draw
from ansatz.experiments.report.text import chapter_json
from tests.experiments.physbench_input import MODELS, SWITCHES, marks, problems, report_data


def chapter(rows):
    return chapter_of(rows.results)


@pytest.fixture(scope="module")
def data():
    return report_data()


@pytest.fixture(scope="module")
def tables(data):
    return {
        name: rows
        for section in chapter_json(chapter(data))["sections"]
        for name, rows in section["tables"].items()
    }


def row(table, label, **more):
    [found] = [
        each
        for each in table
        if label in each.values() and all(each[key] == value for key, value in more.items())
    ]
    return found


def asked(kind):
    return [each for each in problems().values() if each.tags["kind"] == kind]


def share(model, arm, measure, kind="problem_solving"):
    found = [measure(marks(each, model, arm)) for each in asked(kind)]
    return 100 * sum(found) / len(found)


def test_a_run_without_marks_has_no_chapter(data):
    assert chapter(replace(data, dimensions=("outcome",), cells=())) is None


@pytest.mark.parametrize("arm", SWITCHES)
@pytest.mark.parametrize("model", MODELS)
def test_parts_and_gap_are_the_counts(tables, model, arm):
    stages = row(tables["stages_problem_solving"], f"{model}, {arm}")
    part = share(model, arm, lambda given: (given["interpretation"] + given["modeling"]) / 2)
    assert stages["part 1: formulation"] == pytest.approx(part, abs=0.001)
    gap = row(tables["gap_problem_solving"], f"{model}, {arm}")
    assert gap["final answer correct"] == pytest.approx(
        share(model, arm, lambda given: given["final"]), abs=0.001
    )
    full = share(model, arm, lambda given: float(all(given.values())))
    assert gap["fully correct"] == pytest.approx(full, abs=0.001)
    # no solution is full without a right final answer, so that the gap is what full ones leave of right ones
    assert gap["gap"] == pytest.approx(100 * (1 - full / gap["final answer correct"]), abs=0.01)


def test_scaffolds_are_compared_with_the_arm_that_differs_in_nothing_else(tables):
    table = [each for each in tables["formulation"] if each["without"] == "steady, baseline"]
    assert [each["formulation"] for each in table] == ["none", "self", "reference"]
    solved = {arm: share("steady", arm, lambda given: given["final"]) for arm in SWITCHES}
    assert table[2]["Δ final answer correct"] == pytest.approx(
        solved["given"] - solved["baseline"], abs=0.001
    )
    assert table[2]["correct in parts 2 and 3"] == pytest.approx(
        share(
            "steady",
            "given",
            lambda given: float(all(v for k, v in given.items() if k not in ("interpretation", "modeling"))),
        ),
        abs=0.001,
    )
    # modelling is what the scaffolds mend here, and parts 2 and 3 do not hold it
    assert table[1]["Δ correct in parts 2 and 3"] == 0.0


def test_prevalence_and_degradation_are_the_counts(tables):
    names = ("interpretation", "modeling", "relevance", "application", "calculation", "correctness", "coherence", "final")  # fmt: skip
    for model in MODELS:
        prevalence = row(tables["errors"], f"{model}, baseline")
        left = row(tables["degradation"], f"{model}, baseline")
        for at, (code, name) in enumerate(zip(CODES, names, strict=True)):
            wrong = share(model, "baseline", lambda given, name=name: 1.0 - given[name])
            assert prevalence[code] == pytest.approx(wrong, abs=0.001)
            free = share(
                model, "baseline", lambda given, at=at: float(all(given[n] for n in names[: at + 1]))
            )
            assert left[code] == pytest.approx(free, abs=0.001)
        curve = [left[code] for code in CODES]
        assert curve == sorted(curve, reverse=True)


def test_failed_attempts_are_left_out(data):
    def failing(cell):
        lost = cell.arm == "own" and cell.problem == "question-1"
        return replace(cell, value=None, state="error") if lost else cell

    made = chapter(replace(data, cells=tuple(map(failing, data.cells))))
    [stages] = [s for s in chapter_json(made)["sections"] if s["title"] == "Stages of a solution"]
    pairs = {each["arm"]: each["Δ score_n"] for each in stages["tables"]["stages_problem_solving"]}
    assert pairs["steady, own"] == pairs["steady, given"] - 1


def test_a_figure_of_every_kind_is_drawn(data, tmp_path):
    figures = [figure for section in chapter(data).sections for figure in section.figures]
    assert len({each.name for each in figures}) == len(figures) >= 9
    for figure in {each.kind: each for each in figures}.values():
        draw(figure, tmp_path / f"{figure.name}.png")
        assert (tmp_path / f"{figure.name}.png").stat().st_size > 5000

"""Choosing a judge: shares against counts by hand, the paired comparison, and the command as it is typed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.eval.calibration import Label, choose

MARKS = st.sampled_from([0.0, 1.0, 2.0])
SHEETS = st.lists(st.tuples(MARKS, MARKS, MARKS, MARKS), min_size=3, max_size=20)


def labels(rows):
    """Rows of a judge's and a person's marks on two criteria."""
    return [
        Label(answer_id=f"a{n}", judge={"x": j1, "y": j2}, human=({"x": h1, "y": h2},))
        for n, (j1, j2, h1, h2) in enumerate(rows)
    ]


@given(SHEETS)
def test_shares_are_counts_of_sums(rows):
    best = choose({"judge": labels(rows)}, {}).best
    apart = [(j1 + j2) - (h1 + h2) for j1, j2, h1, h2 in rows]
    assert best.rates.lenient == pytest.approx(sum(each > 0.5 for each in apart) / len(rows))
    assert best.rates.strict == pytest.approx(sum(each < -0.5 for each in apart) / len(rows))
    assert best.rates.lenient + best.rates.correct + best.rates.strict == pytest.approx(1)
    [x, _] = best.criteria
    assert x.agreement.full == pytest.approx(sum(j1 == h1 for j1, _, h1, _ in rows) / len(rows))


def test_of_judges_right_as_often_the_less_lenient_is_taken():
    people = [(1.0, 1.0)] * 8
    lenient = labels([(2.0 if n < 2 else 1.0, 1.0, *given) for n, given in enumerate(people)])
    strict = labels([(0.0 if n < 2 else 1.0, 1.0, *given) for n, given in enumerate(people)])
    choice = choose({"lenient": lenient, "strict": strict}, {})
    assert [each.judge for each in choice.ranked] == ["strict", "lenient"]
    assert choice.leads["lenient"].estimate == 0.0 and choice.leads["lenient"].p == 1.0


def test_points_weigh_criteria_and_the_tolerance_bounds_the_sum():
    rows = labels([(2.0, 0.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0)])
    assert choose({"judge": rows}, {"x": 0.5}).best.rates.correct == 1.0
    assert choose({"judge": rows}, {"x": 0.5}, tolerance=0.4).best.rates.correct == 0.5
    assert choose({"judge": rows}, {"x": 1.0}).best.rates.lenient == 0.5


def test_only_answers_of_every_judge_count():
    every = labels([(1.0, 1.0, 1.0, 1.0)] * 5)
    choice = choose({"all": every, "some": every[2:]}, {})
    assert choice.answers == 3 and all(len(each.gaps) == 3 for each in choice.ranked)
    with pytest.raises(ValueError, match="no answer has marks of every judge"):
        choose({"one": every[:2], "other": every[2:]}, {})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """40 answers in 20 families, two people, a careful judge and a kind one."""
    folder = tmp_path_factory.mktemp("choice")
    names = ("interpretation", "calculation", "final")

    def write(file, field, mark):
        rows = [
            {
                "answer_id": f"a{n}",
                field: {name: mark(n, at) for at, name in enumerate(names)},
                "family": f"f{n // 2}",
            }
            for n in range(40)
        ]
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))

    write("ann.jsonl", "human", lambda n, at: (n + at) % 3)
    write("bob.jsonl", "human", lambda n, at: (n + at) % 3 if n % 10 else 1)
    write("careful.jsonl", "judge", lambda n, at: (n + at) % 3 if n % 8 else 1)
    write("kind.jsonl", "judge", lambda n, at: min(2, (n + at) % 3 + (n % 2)))
    return folder


def run(folder, *more):
    people = [f"--people={folder / name}" for name in ("ann.jsonl", "bob.jsonl")]
    judges = [f"--judge={name}={folder / name}.jsonl" for name in ("kind", "careful")]
    return CliRunner().invoke(app, ["judge", "choose", *people, *judges, *map(str, more)])


def test_the_command_names_the_better_judge_and_by_how_much(folder):
    done = run(folder, "--rubric", "prefs")
    assert done.exit_code == 0, done.output
    assert "**careful** is correct on" in done.output
    assert "answers in 100 more than kind" in done.output and "not clear of luck" not in done.output
    content = json.loads(run(folder, "--json").output)
    [section] = content["sections"]
    judges = {row["judge"]: row for row in section["tables"]["judges"]}
    assert judges["kind"]["lenient"] > 40 and judges["kind"]["lead of the best"] > 0
    assert list(section["tables"]["criteria_kind"][0])[:4] == ["criterion", "full", "partial", "none"]


def test_the_page_and_its_figure_are_written_where_asked(folder, tmp_path):
    tmp_path = tmp_path / "new"
    done = run(folder, "--out", tmp_path)
    assert done.exit_code == 0 and "judges.md" in done.output
    assert (tmp_path / "judges.md").read_text().startswith("## The choice of a judge")
    assert (tmp_path / "judges" / "judges.png").stat().st_size > 5000
    assert (tmp_path / "judges" / "criteria_careful.csv").exists()


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (["--judge", "careful"], "--judge: 'careful' is not NAME=FILE"),
        (["--rubric", "pref"], "--rubric: 'pref' is not valid"),
        (["--judge", "none=absent.jsonl"], "absent.jsonl"),
        (["--judge", "kind=other.jsonl"], "other.jsonl"),
    ],
)
def test_bad_input_is_one_clear_line(folder, more, fault):
    done = run(folder, *more)
    assert done.exit_code == 2
    assert fault in done.output and "Traceback" not in done.output

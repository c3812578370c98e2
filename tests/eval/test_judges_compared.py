"""Several judges side by side: shares against counts by hand, what is compared, and the command as it is typed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.eval.calibration import Label, compare_judges

MARKS = st.sampled_from([0.0, 1.0, 2.0])
SHEETS = st.lists(st.tuples(MARKS, MARKS, MARKS, MARKS, MARKS, MARKS), min_size=3, max_size=20)


def labels(rows):
    """Rows of a judge's and a person's marks on two criteria."""
    return [
        Label(answer_id=f"a{n}", judge={"x": j1, "y": j2}, human=({"x": h1, "y": h2},))
        for n, (j1, j2, h1, h2) in enumerate(rows)
    ]


@given(SHEETS)
def test_shares_and_leads_are_counts_of_marks(rows):
    judges = {
        "one": labels([row[:4] for row in rows]),
        "other": labels([(*row[4:], *row[2:4]) for row in rows]),
    }
    found = compare_judges(judges)
    gaps = {
        "one": [gap for a, b, x, y, _, _ in rows for gap in (a - x, b - y)],
        "other": [gap for _, _, x, y, a, b in rows for gap in (a - x, b - y)],
    }
    level = {name: sum(gap == 0 for gap in own) / len(own) for name, own in gaps.items()}
    for each in found.judges:
        own = gaps[each.dimension]
        assert each.leniency.correct == pytest.approx(level[each.dimension])
        assert each.leniency.lenient == pytest.approx(sum(gap > 0 for gap in own) / len(own))
    first, second = (each.dimension for each in found.judges)
    assert level[first] >= level[second]
    assert found.leads[second].estimate == pytest.approx(level[first] - level[second])


def test_of_judges_level_as_often_the_less_lenient_is_first():
    people = [(1.0, 1.0)] * 8
    lenient = labels([(2.0 if n < 2 else 1.0, 1.0, *given) for n, given in enumerate(people)])
    strict = labels([(0.0 if n < 2 else 1.0, 1.0, *given) for n, given in enumerate(people)])
    found = compare_judges({"lenient": lenient, "strict": strict})
    assert [each.dimension for each in found.judges] == ["strict", "lenient"]
    assert found.leads["lenient"].estimate == 0.0 and found.leads["lenient"].p == 1.0


def test_only_scores_that_every_judge_gave_count():
    every = labels([(1.0, 1.0, 1.0, 1.0)] * 5)
    some = [
        each.model_copy(update={"judge": {"y": 2.0, "x": None if n else 2.0}})
        for n, each in enumerate(every[2:])
    ]
    found = compare_judges({"every": every, "some": some})
    assert found.answers == 3 and [each.ratings for each in found.judges] == [4, 4]
    assert found.leads["some"].estimate == 1.0
    with pytest.raises(ValueError, match="no answer has scores of every judge"):
        compare_judges({"one": every[:2], "other": every[2:]})


def test_judges_are_compared_on_the_same_scores_of_people_and_the_same_families():
    one = labels([(1.0, 1.0, 1.0, 1.0)] * 4)
    other = [each.model_copy(update={"human": each.human * 2}) for each in one]
    with pytest.raises(ValueError, match="a0: a judge's file has scores of people; keep these in a file"):
        compare_judges({"one": one, "other": other})
    named = [each.model_copy(update={"family": f"f{n // 2}"}) for n, each in enumerate(one)]
    found = compare_judges({"one": one, "named": named})
    assert [each.bias.families for each in found.judges] == [2, 2]


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
    people = [str(folder / name) for name in ("ann.jsonl", "bob.jsonl")]
    judges = [f"--judge={name}={folder / name}.jsonl" for name in ("kind", "careful")]
    return CliRunner().invoke(app, ["judge", "calibrate", *people, *judges, *more])


def test_the_command_has_a_row_for_each_judge_and_by_how_much_the_first_leads(folder):
    done = run(folder)
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines() if line.split()]
    told = [row for row in rows if row[0] in ("careful", "kind") and row[1] != "against"]
    assert [row[0] for row in told] == ["careful", "kind", "careful", "kind", "kind"]
    assert told[-1] == ["kind", "+26.7*"]  # clear of luck
    content = json.loads(run(folder, "--json").output)
    assert [each["dimension"] for each in content["judges"]] == ["careful", "kind"]
    assert content["judges"][1]["leniency"]["lenient"] > 0.3 and content["leads"]["kind"]["low"] > 0


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (["--judge", "careful"], "--judge: 'careful' is not NAME=FILE"),
        (["--judge", "none=absent.jsonl"], "absent.jsonl"),
        (["--judge", "kind=other.jsonl"], "--judge: two judges have the same name"),
        (["--by", "arm"], "--by is for one judge"),
    ],
)
def test_bad_input_is_one_clear_line(folder, more, fault):
    done = run(folder, *more)
    assert done.exit_code == 2
    assert fault in done.output and "Traceback" not in done.output

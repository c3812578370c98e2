"""Generating questions: reproducible bytes, no two alike, the published format and proportions, and the command."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa import load as load_file
from ansatz.eval.benchmarks.thermoqa.generate import (
    GenerationError,
    counts_by_tier,
    generate,
    load,
)
from ansatz.eval.benchmarks.thermoqa.generated import (
    Expected,
    GeneratedQuestion,
    Infeasible,
    Tier,
    proportional_order,
    refuse_free_points,
)
from tests.commands import ansatz
from tests.eval.thermoqa.cases import PUBLISHED, objects

BOTH = (1, 2)


def lines(*arguments, **settings):
    return [question.line() for question in generate(*arguments, **settings)]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others():
    first = lines(BOTH, seed=3, counts=(30, 30))
    assert lines(BOTH, seed=3, counts=(30, 30)) == first
    assert set(first).isdisjoint(lines(BOTH, seed=4, counts=(30, 30)))


@settings(max_examples=6, deadline=None)
@given(st.sampled_from((1, 2, 3)), st.integers(0, 10**9), st.integers(1, 6), st.integers(0, 6))
def test_a_smaller_count_is_a_prefix(number, seed, few, more):
    assert lines((number,), seed, [few + more])[:few] == lines((number,), seed, [few])


def test_a_tier_is_the_same_whatever_is_asked_beside_it():
    both = lines(BOTH, seed=5, counts=(4, 6))
    assert lines((1,), seed=5, counts=[4]) + lines((2,), seed=5, counts=[6]) == both
    assert lines((2, 1), seed=5, counts=(6, 4)) == both


@pytest.mark.slow  # worker processes import everything anew
def test_any_number_of_workers_gives_the_same_bytes(monkeypatch):
    monkeypatch.setattr("ansatz.eval.benchmarks.thermoqa.generate._POOL_FROM", 2)
    assert lines(BOTH, seed=1, counts=(60, 5), workers=2) == lines(BOTH, seed=1, counts=(60, 5))


@pytest.mark.slow
def test_no_two_of_two_thousand_are_alike():
    made = list(generate(seed=2, counts=2_000))
    assert len(made) == 2_000
    assert len({one.id for one in made}) == 2_000
    assert len({one.question for one in made}) == 2_000
    assert len({one.content for one in made}) == 2_000


def test_an_exhausted_kind_is_an_error_and_a_repeated_draw_is_replaced(monkeypatch):
    def make(slot, random):
        return question(given={"T_C": random.randint(10, 14)})

    small = Tier(1, published={("only",): 1}, make=make)
    monkeypatch.setattr("ansatz.eval.benchmarks.thermoqa.lookups.TIER", small)
    made = list(generate((1,), counts=[5]))
    assert sorted(one.given["T_C"] for one in made) == [10, 11, 12, 13, 14]
    with pytest.raises(GenerationError, match="no further question of the kind X-1; ask for fewer than 6"):
        list(generate((1,), counts=[6]))


def question(**changed):
    fields = {
        "tier": 1,
        "kind": "k",
        "depth": "d",
        "fluid": "Water",
        "difficulty": "easy",
        "template_id": "X-1",
        "question": "?",
        "given": {},
        "expected": (Expected("h_kJ_kg", 100.0, "kJ/kg"),),
    }
    return GeneratedQuestion(**(fields | changed))


def test_a_draw_that_breaks_a_rule_is_drawn_again_and_a_hopeless_slot_is_named():
    def make(slot, random):
        value = random.random()
        if value > 0.2 or slot == ("never",):
            raise Infeasible("too large")
        return question(given={"x": value})

    redrawn = Tier(1, published={("sometimes",): 1}, make=make)
    assert all(redrawn.question(0, number).given["x"] <= 0.2 for number in range(20))
    with pytest.raises(RuntimeError, match=r"'never'.*too large"):
        Tier(1, published={("never",): 1}, make=make).question(0, 0)


@pytest.mark.parametrize(
    ("value", "unit"),
    [(0.0, "kJ/kg"), (0.0004, "kJ/(kg*K)"), (-0.0004, "kJ/(kg*K)"), (1e-4, "-"), (0.04, "C")],
)
def test_a_value_that_zero_would_match_is_refused(value, unit):
    with pytest.raises(Infeasible, match="q is too near zero"):
        refuse_free_points(question(expected=(Expected("q", value, unit),)))
    refuse_free_points(question(expected=(Expected("energy_balance_error", 0.0, "-"),)))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_an_order_keeps_the_proportions_in_every_prefix(shares):
    order = proportional_order(tuple(enumerate(shares)))
    assert Counter(order) == dict(enumerate(shares))
    for asked in range(1, len(order) + 1):
        counted = Counter(order[:asked])
        for item, share in enumerate(shares):
            assert abs(counted[item] - share * asked / len(order)) < len(shares)


FIELDS = {
    1: ("category", "subcategory", "difficulty"),
    2: ("component", "depth", "fluid", "difficulty"),
    3: ("cycle_type", "depth", "fluid", "difficulty"),
}


@PUBLISHED
@pytest.mark.parametrize("number", FIELDS)
def test_the_papers_counts_fields_and_values_are_the_default(number):
    """Kinds as often as in the paper; in tiers 1 and 2 each line, value, tolerance and weight as published."""
    theirs = objects(f"tier{number}-questions.jsonl")
    ours = [one.to_published() for one in generate((number,), seed=0)]
    counted, wanted = (
        Counter(tuple(row[field] for field in FIELDS[number]) for row in rows) for rows in (ours, theirs)
    )
    assert counted == wanted
    if number < 3:
        assert {shape(row) for row in ours} == {shape(row) for row in theirs}
        assert {asked(row) for row in ours} == {asked(row) for row in theirs}
        assert {row["given"]["fluid"] for row in ours} == {row["given"]["fluid"] for row in theirs}


def shape(row):
    numbers = [one for one in row["expected"].values() if "type" not in one]
    return str((list(row), [list(one) for one in numbers[:1]], sorted(row["metadata"])))


def asked(row):
    """Values in the published order with tolerances and weights, by kind of question."""
    kind = tuple(row.get(field) for field in ("category", "subcategory", "component", "depth", "fluid"))
    values = [(key, one.get("unit"), one.get("abs_tolerance")) for key, one in row["expected"].items()]
    return str((kind, values, [(step["id"], step["weight"]) for step in row.get("steps", ())]))


def test_the_benchmark_gives_the_same_problems():
    assert load(tiers=[2], seed=9, counts=[7]) == tuple(one.problem() for one in generate((2,), 9, [7]))


@pytest.mark.parametrize(
    ("tiers", "counts", "expected"),
    [
        ((1, 2), None, {1: 110, 2: 101}),
        ((2, 1), (5, 6), {1: 6, 2: 5}),
        ((1, 2), 211, {1: 110, 2: 101}),
        ((1, 2), 3, {1: 2, 2: 1}),
        ((2,), 40, {2: 40}),
        ((1, 2, 3), None, {1: 110, 2: 101, 3: 82}),
        ((3, 2, 1), 1000, {1: 375, 2: 345, 3: 280}),
    ],
)
def test_counts_are_one_a_tier_or_a_total_in_the_papers_proportions(tiers, counts, expected):
    assert counts_by_tier(tiers, counts) == expected


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"tiers": (1, 4)}, "there is no tier 4"),
        ({"tiers": (1, 1)}, "each tier once"),
        ({"tiers": ()}, "each tier once"),
        ({"tiers": (1, 2), "counts": (1, 2, 3)}, "3 counts for 2 tiers"),
        ({"tiers": (1,), "counts": [-1]}, "none below 0"),
        ({"tiers": (1, 2), "counts": 0}, "one at least above"),
        ({"tiers": (1,), "mix": "publishd"}, "there is no mix 'publishd'; did you mean 'published'"),
    ],
)
def test_settings_that_make_no_questions_are_named(settings, problem):
    with pytest.raises(GenerationError, match=problem):
        generate(**settings)


def generated(*arguments):
    return ansatz("benchmark", "thermoqa", "generate", *arguments)


def test_a_file_is_written_that_loads_as_published(tmp_path):
    file = tmp_path / "questions.jsonl"
    done = generated("--tier", "2,1", "--seed", 5, "--counts", "3,4", "--out", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"7 questions in {file}\n"
    assert done.stderr == ""
    made = generate((1, 2), seed=5, counts=(4, 3))
    assert file.read_bytes() == "".join(f"{one.line()}\n" for one in made).encode()
    assert [each.tags["tier"] for each in load_file(str(file))] == ["1"] * 4 + ["2"] * 3
    assert [each.name for each in tmp_path.iterdir()] == ["questions.jsonl"]


def test_a_file_is_overwritten_only_by_force(tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text("mine")
    refused = generated("--tier", 1, "--count", 2, "--out", file)
    assert (refused.returncode, file.read_text()) == (2, "mine")
    assert refused.stderr == f"ansatz: --out: {file} exists; --force overwrites it\n"
    assert generated("--tier", 1, "--count", 2, "--out", file, "--force").returncode == 0
    assert len(file.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--tier", "1,x"), "--tier: '1,x' is not a list of whole numbers such as 1,2,3"),
        (("--tier", "4"), "there is no tier 4; the tiers are 1, 2 and 3"),
        (
            ("--tier", "1", "--counts", "many"),
            "--counts: 'many' is not a list of whole numbers such as 1,2,3",
        ),
        (("--tier", "1,2", "--counts", "1,2,3"), "3 counts for 2 tiers; give one count a tier"),
        (
            ("--tier", "1", "--mix", "evn"),
            "there is no mix 'evn'; did you mean 'even'? (valid: published, even)",
        ),
    ],
)
def test_what_cannot_be_made_is_one_line_and_writes_nothing(tmp_path, arguments, problem):
    done = generated(*arguments, "--out", tmp_path / "questions.jsonl")
    assert done.returncode == 2
    assert done.stderr == f"ansatz: {problem}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    folder = generated("--tier", 1, "--out", tmp_path)
    assert f"{tmp_path} is a folder; name a file in it" in folder.stderr
    nowhere = generated("--tier", 1, "--out", tmp_path / "no" / "file.jsonl")
    assert f"there is no folder {tmp_path / 'no'}" in nowhere.stderr
    assert folder.returncode == nowhere.returncode == 2

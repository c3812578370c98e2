"""Generated questions: reproducible, all different, in the published format and proportions, and correct."""

from collections import Counter
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.selection import proportional_order
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa import load as load_file
from ansatz.eval.benchmarks.thermoqa.generate import counts_by_tier, generate, load, order_kinds
from ansatz.eval.benchmarks.thermoqa.lookups import LOOKUPS
from ansatz.eval.benchmarks.thermoqa.plant_templates import plant_templates
from ansatz.eval.benchmarks.thermoqa.questions import ExpectedNumber, expect_number, make_question
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore, average_verdicts, judge_published
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.properties import saturation, state
from tests.commands import ansatz
from tests.eval.benchmarks.thermoqa.cases import PUBLISHED, objects, strictly
from tests.fakes.transcripts import attempt
from tests.oracles.test_oracles import ask, needs_oracles


def lines(*arguments, **settings):
    return [question.line() for question in generate(*arguments, **settings)]


def test_a_seed_gives_the_same_bytes_for_any_selection():
    first = lines((1, 2), seed=3, counts=(8, 8))
    assert lines((1, 2), seed=3, counts=(8, 8)) == lines((2, 1), seed=3, counts=(8, 8)) == first
    assert set(first).isdisjoint(lines((1, 2), seed=4, counts=(8, 8)))
    assert lines((1,), seed=3, counts=[4]) + lines((2,), seed=3, counts=[6]) == first[:4] + first[8:14]
    assert load((2,), seed=3, counts=[3]) == tuple(one.problem() for one in generate((2,), 3, [3]))


def test_repeated_questions_are_replaced_until_none_is_left(monkeypatch):
    """A draw that breaks a rule is drawn again; of a kind that has five questions no sixth is asked."""

    def make(kind, random):
        value = random.randint(8, 14)
        if value < 10:
            raise Infeasible("too small")
        return question(given={"T_C": value})

    monkeypatch.setattr("ansatz.eval.benchmarks.thermoqa.lookups.count_published", lambda: {("only",): 1})
    monkeypatch.setattr("ansatz.eval.benchmarks.thermoqa.lookups.make", make)
    order_kinds.cache_clear()
    try:
        found = list(generate((1,), counts=[5]))
        assert sorted(one.given["T_C"] for one in found) == [10, 11, 12, 13, 14]
        with pytest.raises(InvalidData, match="no further question of the kind X-1; ask for fewer than 6"):
            list(generate((1,), counts=[6]))
    finally:
        order_kinds.cache_clear()


def question(**changed):
    fields = {"tier": 1, "kind": "k", "depth": "d", "difficulty": "easy", "given": {}}
    expected = {"h_kJ_kg": expect_number(100.0, "kJ/kg", 0.5)}
    return make_question(**({"prose": "?", "expected": expected, "template_id": "X-1"} | fields | changed))


@pytest.mark.parametrize(
    ("value", "unit"),
    [(0.0, "kJ/kg"), (0.0004, "kJ/(kg*K)"), (-0.0004, "kJ/(kg*K)"), (1e-4, "-"), (0.04, "C")],
)
def test_a_value_that_zero_would_match_is_refused(value, unit):
    with pytest.raises(Infeasible, match="q is too near zero"):
        question(expected={"q": expect_number(value, unit, 0.5)})
    question(expected={"energy_balance_error": expect_number(0.0, "-", 0.01)})


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8))
@settings(max_examples=30)
def test_an_order_keeps_the_proportions_in_every_prefix(shares):
    found = proportional_order(dict(enumerate(shares)))
    assert Counter(found) == dict(enumerate(shares))
    for asked in range(1, len(found) + 1):
        due = [share * asked / len(found) for share in shares]
        assert max(abs(found[:asked].count(item) - each) for item, each in enumerate(due)) < len(shares)


KIND = ("category", "subcategory", "component", "cycle_type", "depth", "fluid", "difficulty")


@PUBLISHED
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_papers_counts_fields_and_values_are_the_default(number):
    """Kinds as often as in the paper; in tiers 1 and 2 each line, value, tolerance and weight as published."""
    published = objects(f"tier{number}-questions.jsonl")
    generated = [one.row() for one in generate((number,), seed=0)]
    counts = [
        Counter(tuple(row.get(field) for field in KIND) for row in rows) for rows in (generated, published)
    ]
    assert counts[0] == counts[1]
    if number < 3:
        assert {published_form(row) for row in generated} == {published_form(row) for row in published}


def published_form(row):
    """Fields in the published order, and values asked for with tolerances and weights, by kind of question."""
    values = [
        (key, list(one), one.get("unit"), one.get("abs_tolerance")) for key, one in row["expected"].items()
    ]
    steps = [(step["id"], step["weight"]) for step in row.get("steps", ())]
    kind = [row.get(field) for field in KIND[:-1]]
    return str((list(row), sorted(row["metadata"]), row["given"]["fluid"], kind, values, steps))


@pytest.mark.parametrize(
    ("tiers", "counts", "expected"),
    [
        ((1, 2, 3), None, {1: 110, 2: 101, 3: 82}),
        ((2, 1), (5, 6), {1: 6, 2: 5}),
        ((1, 2), 3, {1: 2, 2: 1}),
        ((3, 2, 1), 1000, {1: 375, 2: 345, 3: 280}),
        ((), 293, {1: 110, 2: 101, 3: 82}),
    ],
)
def test_counts_are_per_tier_or_a_proportional_total(tiers, counts, expected):
    assert counts_by_tier(tiers, counts) == expected


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"tiers": (1, 4)}, "tiers: '4' is not valid"),
        ({"tiers": (1, 1)}, "each tier once"),
        ({"tiers": (1, 2), "counts": (1, 2, 3)}, "3 counts for 2 tiers; give one count a tier"),
        ({"tiers": (1,), "counts": [-1]}, "none negative"),
        ({"tiers": (1,), "mix": "publishd"}, "mix: 'publishd' is not valid; did you mean 'published'"),
    ],
)
def test_settings_that_make_no_questions_are_named(settings, problem):
    with pytest.raises(InvalidData, match=problem):
        generate(**settings)


def generated(file, *arguments):
    return ansatz("benchmark", "thermoqa", "generate", "--out", file, *arguments)


def test_the_command_writes_a_file_that_loads(tmp_path):
    file = tmp_path / "questions.jsonl"
    refused = generated(file, "--tier", "1,x")
    message = "ansatz: --tier: '1,x' is not a list of whole numbers such as 1,2,3\n"
    assert (refused.returncode, refused.stderr, list(tmp_path.iterdir())) == (2, message, [])
    done = generated(file, "--tier", "2,1", "--seed", 5, "--counts", "3,4")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"7 questions in {file}\n", "")
    assert file.read_text("utf-8").splitlines() == lines((1, 2), seed=5, counts=(4, 3))
    assert [each.tags["tier"] for each in load_file(str(file))] == ["1"] * 4 + ["2"] * 3
    refused = generated(file, "--tier", 1, "--count", 2)
    assert refused.stderr == f"ansatz: --out: {file} exists; --force overwrites it\n"
    assert generated(file, "--tier", 1, "--count", 2, "--force").returncode == 0
    assert len(file.read_text().splitlines()) == 2


@pytest.fixture(scope="module")
def questions():
    """Every kind of every tier, those beyond the published set too."""
    return list(generate(seed=11, counts=(56, 57, 30), mix="even"))


def gold(one):
    """The answer block filled in with the key."""
    values = [
        f"{each.value:.7g}" if isinstance(each, ExpectedNumber) else each.value.replace("_", " ")
        for each in one.expected.values()
    ]
    blanks = one.question.split("Report your answers as:\n")[1].splitlines()
    return "\n".join(blank.replace("___", value) for blank, value in zip(blanks, values, strict=True))


async def test_strictly_the_key_earns_all_and_zeros_earn_nothing(questions):
    """The published rule pays for zeros."""
    paid, zeroed = [], set()
    for one in questions:
        problem = one.problem()
        scores = await ThermoQAScore().score(ScoringContext(problem, attempt(gold(one))))
        assert [score.value for score in scores] == [1.0, 1.0], (one.id, scores)
        if one.kind not in zeroed:
            units = {each.name: getattr(each, "unit", "").replace("-", "") for each in problem.targets}
            zeros = "\n".join(f"{name} = 0 {unit}" for name, unit in units.items())
            assert average_verdicts(strictly(problem, zeros).values()) == 0.0, one.id
            zeroed.add(one.kind)
        numbers = {target.name: 0.0 for target in problem.targets if isinstance(target, NumberTarget)}
        paid.append(average_verdicts(judge_published(problem, numbers).values()))
    assert mean(paid) > 0.05


def test_every_given_is_printed_and_every_convention_stated(questions):
    """For lookups and components; `test_cycles_invariants` checks cycles."""
    for one in (each for each in questions if each.tier < 3):
        prose = one.question.split("\n\nReport your answers as:\n")[0]
        fluid, is_caloric = one.given["fluid"], any(key[0] in "hsu" for key in (*one.expected, *one.given))
        assert "{" not in one.question
        for key, value in one.given.items():
            if isinstance(value, float):
                assert f"{value * 100 if key.startswith('eta') else value:.10g}" in prose, (one.id, key)
        stated = {
            "IIR reference state (h = 200 kJ/kg and s = 1 kJ/(kg·K)": fluid == "R134a" and is_caloric,
            "c_p = 1.005 kJ/(kg·K) and k = 1.4": fluid == "Air",
            "s = 0 at 298.15 K": fluid == "Air",
            "T0 = 25 °C (298.15 K) and P0 = 0.1 MPa": (one.tier, one.depth) == (2, "C"),
            "eta_II is the": (one.tier, one.depth) == (2, "C"),
        }
        assert {words: words in prose for words in stated} == stated, one.id


def test_each_kind_has_at_least_three_wordings():
    phrasings = [lookup.phrasings for lookup in LOOKUPS.values()]
    for template in (*plant_templates(2).values(), *plant_templates(3).values()):
        phrasings += [
            template.setups,
            *template.requests.values(),
            *filter(None, [template.reservoir_setups]),
        ]
    assert min(len(set(each)) for each in phrasings) >= 3


KELVIN = 273.15
CALLED = {"Water": "water", "R134a": "R134a"}
CRITICAL = {"Water": (647.096, 22.064e6), "R134a": (374.21, 4.05928e6)}  # K, Pa
SI = {"P_kPa": ("P", 1e3), "x": ("x", 1.0), "h_kJ_kg": ("h", 1e3), "s_kJ_kgK": ("s", 1e3)}


@pytest.fixture(scope="module")
def lookups(questions):
    return [one for one in questions if one.tier == 1]


def inputs(question):
    """SI values of the givens, with the quality that a saturated state's words imply."""
    given = question.given
    found = {SI[key][0]: SI[key][1] * given[key] for key in SI.keys() & given.keys()}
    found |= {"T": given["T_C"] + KELVIN} if "T_C" in given else {}
    implied = {"saturated_liquid": {"x": 0.0}, "saturated_vapor": {"x": 1.0}}
    return found | implied.get(question.kind, {})


def test_a_state_lies_where_its_category_says(lookups):
    """And no temperature lies near the ice point."""
    assert {(one.kind, one.depth) for one in lookups} == LOOKUPS.keys()
    for one in lookups:
        fluid = one.given["fluid"]
        found, (hot, dense) = state(CALLED[fluid], **inputs(one)), CRITICAL[fluid]
        if one.kind == "subcooled_liquid":
            assert found.phase == "subcooled_liquid" and found.P > saturation(found.fluid, T=found.T).P
        elif one.kind == "superheated_vapor":
            assert found.phase == "superheated_vapor" and found.T > saturation(found.fluid, P=found.P).T + 5
        elif one.kind == "supercritical":
            assert min(found.T - hot, found.P - dense) > 0
        elif one.kind == "wet_steam":
            assert found.x is not None and 0.04 < found.x < 0.96
        elif one.depth == "near_boundary":
            assert 0.9 < abs(found.T - saturation(found.fluid, P=found.P).T) < 4.1
        elif one.depth == "tricky":
            assert max(found.T - hot, found.P - dense) > 0
        if "phase_name" in one.expected:
            assert one.expected["phase_name"].value == found.phase
        asked = [one.expected[key].value for key in {"T_C", "T_sat_C"} & one.expected.keys()]
        assert all(abs(value) >= 10 for value in (*asked, one.given.get("T_C", 99.0))), one.line()


@needs_oracles
def test_an_independent_steam_library_gives_the_same_key(lookups):
    """IAPWS-95 as implemented elsewhere; near the critical point the last digits of the givens matter most."""
    asked = []
    for one in lookups:
        given = inputs(one)
        known = one.given["fluid"] == "Water" and given.keys() <= {"T", "P", "x"}
        if known and one.kind != "phase_determination":
            scaled = {name: value / 1e6 if name == "P" else value for name, value in given.items()}
            asked.append((one, ["IAPWS95", scaled]))
    compared = 0
    for (one, _), theirs in zip(asked, ask("steam", given=[each for _, each in asked]), strict=True):
        for key, each in one.expected.items():
            if isinstance(each, ExpectedNumber):
                name = key.split("_")[0]
                value = theirs[name]
                value = value - KELVIN if name == "T" else value * 1e3 if name == "P" else value
                assert each.value == pytest.approx(value, rel=2e-5), (each, one.line())
                compared += 1
    assert compared >= 50

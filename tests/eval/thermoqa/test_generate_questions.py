"""What each generated question promises: it loads, says all it needs, and gives nothing away."""

from statistics import mean

import pytest

from ansatz.eval.benchmarks.thermoqa import load as load_file
from ansatz.eval.benchmarks.thermoqa.generate import generate, tier
from ansatz.eval.benchmarks.thermoqa.generated import Expected
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore, published, question_score, strict
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import ScoringContext
from tests.fakes.transcripts import attempt


@pytest.fixture(scope="module")
def questions():
    """Every kind of every tier, those beyond the published set too."""
    return list(generate(seed=11, counts=(112, 114, 60), mix="even"))


def test_a_generated_file_loads_as_the_published_ones_do(tmp_path, questions):
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(f"{one.line()}\n" for one in questions), encoding="utf-8")
    loaded = load_file(str(file))
    assert loaded == tuple(one.problem() for one in questions)
    assert {each.tags["tier"] for each in loaded} == {"1", "2", "3"}
    assert len(load_file(str(file), tiers=(2,))) == 114


def gold(one):
    """The answer block filled in with the key."""
    values = [
        f"{e.value:.7g}" if isinstance(e, Expected) else e.value.replace("_", " ") for e in one.expected
    ]
    blanks = one.question.split("Report your answers as:\n")[1].splitlines()
    return "\n".join(blank.replace("___", value) for blank, value in zip(blanks, values, strict=True))


async def test_the_key_earns_full_marks(questions):
    for one in questions:
        scores = await ThermoQAScore().score(ScoringContext(one.problem(), attempt(gold(one))))
        assert [score.value for score in scores] == [1.0, 1.0], (one.id, scores)


def test_zeros_and_blanks_earn_nothing_strictly_though_the_published_rule_pays(questions):
    paid = []
    for one in questions:
        problem = one.problem()
        zeros = "\n".join(
            f"{target.name} = 0 {getattr(target, 'unit', '').replace('-', '')}" for target in problem.targets
        )
        assert question_score(problem, strict(problem, zeros)) == 0.0, one.id
        assert question_score(problem, strict(problem, "")) == 0.0
        numbers = {target.name: 0.0 for target in problem.targets if isinstance(target, NumberTarget)}
        paid.append(question_score(problem, published(problem, numbers)))
    assert mean(paid) > 0.05


@pytest.fixture(scope="module")
def below_cycles(questions):
    return [one for one in questions if one.tier < 3]


def test_every_given_is_printed_and_every_value_is_asked_for(below_cycles):
    for one in below_cycles:
        prose, block = one.question.split("\n\nReport your answers as:\n")
        assert "{" not in one.question
        for key, value in one.given.items():
            if isinstance(value, float):
                shown = value * 100 if key.startswith("eta") else value
                assert f"{shown:.10g}" in prose, (one.id, key)
        asked = [line.split(" ")[0].rstrip(":") for line in block.splitlines()]
        printed = {"phase": "Phase", "S_gen_dot": "Ṡ_gen", "X_dest_dot": "Ẋ_dest", "Q_dot": "Q̇"}
        assert asked == [printed.get(target.name, target.name) for target in one.problem().targets]


def test_every_convention_is_stated(below_cycles):
    for one in below_cycles:
        caloric = any(target.name[0] in "hsu" for target in one.problem().targets)
        told = " ".join((one.question, *one.given))
        if one.fluid == "R134a" and caloric:
            assert "IIR reference state (h = 200 kJ/kg and s = 1 kJ/(kg·K)" in told
        if one.fluid == "Air":
            assert "c_p = 1.005 kJ/(kg·K) and k = 1.4" in told and "s = 0 at 298.15 K" in told
        if one.tier == 2 and one.depth == "C":
            assert "T0 = 25 °C (298.15 K) and P0 = 0.1 MPa" in told
            assert "eta_II is the" in told
        assert ("dead state" in told) == (one.tier == 2 and one.depth == "C")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_kind_has_at_least_three_phrasings(number):
    """The same givens in other words: what stands around the numbers of one template's questions."""
    slots = {slot: set() for slot in (*tier(number).published, *tier(number).further)}
    order = tier(number).order("even")
    for index in range(25 * len(order)):
        one = tier(number).question(4, index, "even")
        prose = one.question.split("\n\n")[0]
        slots[order[index % len(order)]].add(
            "".join(letter for letter in prose if letter not in "0123456789.−-")
        )
    assert min(len(wordings) for wordings in slots.values()) >= 3

"""The fine-tuning set: answers, reasons and that nothing of the test split is in it."""

import json
import math
import re
from collections import Counter
from dataclasses import replace

import pytest

from ansatz.eval.data.dfa.examples import KINDS, make_examples, recompute
from ansatz.eval.data.dfa.files import row, write_examples
from ansatz.eval.data.dfa.leakage import leakage
from ansatz.eval.data.splits import split
from ansatz.knowledge_base.equation import Equation, library
from ansatz.knowledge_base.regime import facts, judge
from ansatz.quantities.statements import find
from tests.eval.data_corpus import sound_problems


@pytest.fixture(scope="module")
def made():
    return split(sound_problems(), 0)


@pytest.fixture(scope="module")
def parts(made):
    return {
        part: [problem for problem in sound_problems() if made.part[problem.id] == part]
        for part in ("train", "test")
    }


@pytest.fixture(scope="module")
def examples(parts):
    """Of one item a family, so that this is quick."""
    return make_examples([problem for problem in parts["train"] if problem.id.endswith("#0")], 0)


def stated(question):
    """The numbers of a question as it prints them: symbol to (value, unit)."""
    text = question.split("\n\nReport")[0]
    return {
        symbol: (float(value), unit)
        for symbol, value, unit in re.findall(
            r"(\w+) = ([-\d.e]+?)(?=[\s;.,])(?: ([^\s;]+?))?(?=;|\. |\.$| and |,)", text
        )
    }


def test_there_are_examples_of_every_kind_and_domain(examples):
    kinds = Counter(example.kind for example in examples)
    assert set(kinds) == set(KINDS) and min(kinds.values()) >= 30
    assert len({example.domain for example in examples}) >= 7
    assert len({example.seed_family for example in examples}) >= 50


def test_an_item_seeds_at_most_one_example_of_each_kind(examples, parts):
    counts = Counter((example.seed_item, example.kind) for example in examples)
    assert set(counts.values()) == {1}
    assert {example.seed_item for example in examples} <= {problem.id for problem in parts["train"]}
    assert (
        len({example.id for example in examples})
        == len({example.question for example in examples})
        == len(examples)
    )


def test_every_answer_follows_from_the_numbers_in_its_question(examples):
    for example in examples:
        equation: Equation = library().get(example.gold_equation)
        printed = stated(example.question)
        given = {symbol: "{} {}".format(*printed[symbol]) for symbol in equation.inputs}
        value = float(equation.evaluate("refuse", **given).magnitude)
        assert value == pytest.approx(example.answer, rel=1e-9), example.id
        assert recompute(example) == pytest.approx(example.answer, rel=1e-12)
        told = find(example.response, example.symbol)
        assert told.value == pytest.approx(example.answer, rel=1e-4), example.id


FORMULAS = {
    "newtonian.force.supersonic_plate_lift": lambda alpha, M: 4 * math.radians(alpha) / math.sqrt(M**2 - 1),
    "newtonian.force.sphere_drag": lambda Cpmax: Cpmax / 2,
    "newtonian.force.thin_airfoil_lift": lambda alpha: 2 * math.pi * math.radians(alpha),
    "shock.isentropic.pressure_ratio": lambda M, gamma: (1 + 0.5 * (gamma - 1) * M**2) ** (gamma / (gamma - 1)),
    "heating.conduction.semi_infinite_flux": lambda Ti, q, t, k, rho_s, c: Ti + 2 * q / k * math.sqrt(k / (rho_s * c) * t / math.pi),
    "heating.rarefied.free_molecular": lambda alpha, rho, V, theta: alpha * rho * V**3 / 2 * math.sin(math.radians(theta)),
    "newtonian.pressure.sine_squared": lambda theta: 2 * math.sin(math.radians(theta)) ** 2,
    "radiation.blackbody_emissive_power": lambda T: 5.670374419e-8 * T**4,
}  # fmt: skip


def test_answers_agree_with_formulas_written_here(examples):
    checked = Counter()
    for example in examples:
        if formula := FORMULAS.get(example.gold_equation):
            numbers = {given.symbol: given.value for given in example.inputs}
            assert formula(**numbers) == pytest.approx(example.answer, rel=1e-6), example.id
            checked[example.gold_equation] += 1
    assert len(checked) >= 3


def test_the_question_itself_admits_the_gold_equation_and_excludes_the_other(examples):
    for example in examples:
        known = facts(example.question)
        gold, other = (library().get(id) for id in (example.gold_equation, example.rejected_equation))
        assert all(judge(predicate, known, gold).holds is not False for predicate in gold.regime.require), (
            example.id
        )
        broken = any(judge(predicate, known, other).holds is False for predicate in other.regime.require)
        failing = any(
            mode.predicate and judge(mode.predicate, known, other).holds for mode in other.failure_modes
        )
        worded = any(mode.when in example.rationale for mode in other.failure_modes if not mode.predicate)
        assert broken or failing or worded, example.id
        assert gold.name in example.rationale and other.name in example.rationale


def test_the_wrong_formula_gives_another_answer(examples):
    compared = 0
    for example in examples:
        other = library().get(example.rejected_equation)
        printed = {symbol: "{} {}".format(*number) for symbol, number in stated(example.question).items()}
        if set(other.inputs) <= set(printed) and not {"theta", "K"} & set(printed):
            try:
                wrong = float(
                    other.evaluate("refuse", **{symbol: printed[symbol] for symbol in other.inputs}).magnitude
                )
            except ValueError:
                continue
            assert abs(wrong / example.answer - 1) > 0.1, example.id
            compared += 1
    assert compared >= 10


def test_flagged_assumptions_say_so(examples):
    for example in examples:
        flagged = "not applicable here; a fallback is needed" in example.response
        assert flagged == (example.kind == "assumption_flagging")
        assert (library().get(example.rejected_equation).name in example.question) == flagged or not flagged


def test_nothing_of_the_test_split_is_in_it(examples, parts):
    found = leakage(examples, parts["test"])
    assert found.clean and found.nearest < 0.6


def test_a_leak_would_be_found(examples, parts):
    test = parts["test"]
    planted = [
        replace(examples[0], seed_family=test[0].family),
        replace(examples[1], id="copied", question=test[5].question.replace("the", "that", 1)),
    ]
    found = leakage([*planted, *examples[2:]], test)
    assert found.families == (test[0].family,)
    assert ("copied", test[5].id) in found.similar and not found.clean


def test_the_draw_depends_on_seed_and_item_alone(examples, parts):
    some = [problem for problem in parts["train"] if problem.id.endswith("#0")][:15]
    again = {example.id: example for example in make_examples(some[::-1], 0)}
    assert all(again[example.id] == example for example in examples if example.id in again)
    assert make_examples(some, 1) != make_examples(some, 0)


def test_files_are_chats_and_a_table_of_one_shape(examples, parts, made, tmp_path):
    found = leakage(examples, parts["test"])
    for name in ("one", "two"):
        write_examples(examples, made, found, 0, tmp_path / name)
    names = ("openai/train.jsonl", "data/train.jsonl", "README.md", "manifest.json")
    assert all(
        (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names
    )
    chats = [json.loads(line) for line in (tmp_path / "one" / names[0]).read_text().splitlines()]
    assert all(set(chat) == {"messages"} for chat in chats)
    assert all(
        [turn["role"] for turn in chat["messages"]] == ["system", "user", "assistant"] for chat in chats
    )
    rows = [json.loads(line) for line in (tmp_path / "one" / names[1]).read_text().splitlines()]
    assert rows == [json.loads(json.dumps(row(example))) for example in examples]
    shapes = {tuple((name, type(value).__name__) for name, value in each.items()) for each in rows}
    inputs = {
        tuple((name, type(value).__name__) for name, value in given.items())
        for each in rows
        for given in each["inputs"]
    }
    assert len(shapes) == 1 and len(inputs) == 1
    card = (tmp_path / "one" / "README.md").read_text()
    assert f"{len(examples)} examples" in card and "{" not in card.replace('{"messages": [...]}', "")

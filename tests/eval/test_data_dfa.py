"""The fine-tuning set: answers, reasons and that nothing of the test split is in it."""

import json
import math
import re
from collections import Counter
from dataclasses import replace

import pytest

from ansatz.eval.data.dfa.examples import KINDS, make_examples
from ansatz.eval.data.dfa.export import leakage, summary, write_examples
from ansatz.eval.data.splits import split
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import facts, judge
from ansatz.quantities.statements import find
from tests.eval.data_corpus import sound_problems


@pytest.fixture(scope="module")
def made():
    return split(sound_problems(), 0)


@pytest.fixture(scope="module")
def parts(made):
    return {part: made.chosen(part, sound_problems()) for part in ("train", "test")}


@pytest.fixture(scope="module")
def examples(parts):
    """Of one item of every second family, so that this is quick."""
    return make_examples([problem for problem in parts["train"] if problem.id.endswith("#0")][::2], 0)


def printed(question):
    """The numbers of a question as it prints them: symbol to "value unit"."""
    found = re.findall(
        r"(\w+) = ([-\d.e]+?)(?=[\s;.,])(?: ([^\s;]+?))?(?=;|\. |\.$| and |,)",
        question.split("\n\nReport")[0],
    )
    return {symbol: f"{value} {unit}" for symbol, value, unit in found}


def test_there_is_at_most_one_example_of_each_kind_of_an_item_and_no_question_twice(examples, parts):
    kinds = Counter(example.kind for example in examples)
    assert set(kinds) == set(KINDS) and min(kinds.values()) >= 15
    assert len({example.domain for example in examples}) >= 6
    assert set(Counter((example.seed_item, example.kind) for example in examples).values()) == {1}
    assert {example.seed_item for example in examples} <= {problem.id for problem in parts["train"]}
    assert len({example.question for example in examples}) == len(examples)


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


def test_every_answer_follows_from_the_numbers_in_its_question(examples):
    checked = set()
    for example in examples:
        equation = library().get(example.gold_equation)
        given = {symbol: printed(example.question)[symbol] for symbol in equation.inputs}
        value = float(equation.evaluate("refuse", **given).magnitude)
        assert value == pytest.approx(example.answer, rel=1e-9), example.id
        told = find(example.response, example.symbol)
        assert told.value == pytest.approx(example.answer, rel=1e-4), example.id
        if formula := FORMULAS.get(example.gold_equation):
            numbers = {given.symbol: given.value for given in example.inputs}
            assert formula(**numbers) == pytest.approx(example.answer, rel=1e-6), example.id
            checked.add(example.gold_equation)
    assert len(checked) >= 3


def test_the_question_itself_admits_the_gold_equation_and_excludes_the_other(examples):
    for example in examples:
        known = facts(example.question)
        gold, other = (library().get(id) for id in (example.gold_equation, example.rejected_equation))
        admitted = [judge(predicate, known, gold).holds for predicate in gold.regime.require]
        assert False not in admitted, example.id
        broken = any(judge(predicate, known, other).holds is False for predicate in other.regime.require)
        failing = any(
            mode.predicate and judge(mode.predicate, known, other).holds for mode in other.failure_modes
        )
        assert broken or failing, example.id
        assert gold.name in example.rationale and other.name in example.rationale
        flagged = "not applicable here; a fallback is needed" in example.response
        assert flagged == (example.kind == "assumption_flagging")
        assert other.name in example.question or not flagged


def test_a_number_that_follows_from_others_is_what_follows(parts):
    seeds = [problem for problem in parts["train"] if problem.family == "radiation.glowing_wall"]
    questions = [printed(example.question) for example in make_examples(seeds, 0)]
    stated = [known for known in questions if {"tau_opt", "kappa", "L"} <= set(known)]
    values = [[float(known[name].split()[0]) for name in ("tau_opt", "kappa", "L")] for known in stated]
    assert values and all(tau == pytest.approx(kappa * length, rel=5e-3) for tau, kappa, length in values)


def test_the_wrong_formula_gives_another_answer(examples):
    compared = 0
    for example in examples:
        other = library().get(example.rejected_equation)
        known = printed(example.question)
        if set(other.inputs) <= set(known) and not {"theta", "K"} & set(known):
            try:
                wrong = other.evaluate("refuse", **{symbol: known[symbol] for symbol in other.inputs})
            except ValueError:
                continue
            assert abs(float(wrong.magnitude) / example.answer - 1) > 0.1, example.id
            compared += 1
    assert compared >= 5


def test_a_leak_is_found_and_there_is_none(examples, parts):
    test = parts["test"]
    families, similar, nearest = leakage(examples, test).values()
    assert not families and not similar and nearest < 0.6
    planted = [
        replace(examples[0], seed_family=test[0].family),
        replace(examples[1], id="copied", question=test[5].question.replace("the", "that", 1)),
    ]
    families, similar, _ = leakage(planted, test).values()
    assert families == [test[0].family] and ["copied", test[5].id] in similar


def test_the_draw_depends_on_seed_and_item_alone(examples, parts):
    some = [problem for problem in parts["train"] if problem.id.endswith("#0")][:14:2]
    again = {example.id: example for example in make_examples(some[::-1], 0)}
    assert all(again[example.id] == example for example in examples if example.id in again)
    assert make_examples(some, 1) != list(again.values())


def test_files_are_chats_and_a_table_of_one_shape(examples, parts, made, tmp_path):
    figures = summary(examples, parts["test"])
    names = ("openai/train.jsonl", "data/train.jsonl", "README.md", "manifest.json")
    for name in ("one", "two"):
        write_examples(examples, figures, made, 0, tmp_path / name)
    assert all(
        (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names
    )
    chats, rows = (
        [json.loads(line) for line in (tmp_path / "one" / name).read_text().splitlines()]
        for name in names[:2]
    )
    assert all(
        [turn["role"] for turn in chat["messages"]] == ["system", "user", "assistant"] for chat in chats
    )
    assert rows == [json.loads(json.dumps(example.row())) for example in examples]
    shapes = {tuple((name, type(value).__name__) for name, value in each.items()) for each in rows}
    numbers = {type(given["value"]).__name__ for each in rows for given in each["inputs"]}
    assert len(shapes) == 1 and numbers == {"float"}
    card = (tmp_path / "one" / "README.md").read_text()
    assert f"{len(examples)} examples" in card and "{" not in card.replace('{"messages": [...]}', "")

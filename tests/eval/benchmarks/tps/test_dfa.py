"""The fine-tuning set: answers, reasons and that nothing of the test split is in it."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from ansatz.eval.benchmarks.tps.dfa.examples import KINDS, make_examples
from ansatz.eval.benchmarks.tps.dfa.export import leakage, summary, write_examples
from ansatz.eval.curation.splits import split_problems
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import find_facts, judge_condition
from ansatz.quantities.statements import find_statement
from tests.eval.curation.corpus import sound_problems

pytestmark = pytest.mark.xdist_group("tps")


@pytest.fixture(scope="module")
def made():
    return split_problems(sound_problems(), 0)


@pytest.fixture(scope="module")
def train(made):
    return made.select("train", sound_problems())


@pytest.fixture(scope="module")
def test(made):
    return made.select("test", sound_problems())


@pytest.fixture(scope="module")
def many_examples(train):
    """Examples of one item of every second family."""
    return make_examples([problem for problem in train if problem.id.endswith("#0")][::2], 0)


@pytest.fixture(scope="module")
def examples(train):
    """Examples of one item of every fourth family, so that this is quick."""
    return make_examples([problem for problem in train if problem.id.endswith("#0")][::4], 0)


def printed(question):
    """The numbers of a question as it prints them: symbol to "value unit"."""
    found = re.findall(
        r"(\w+) = ([-\d.e]+?)(?=[\s;.,])(?: ([^\s;]+?))?(?=;|\. |\.$| and |,)",
        question.split("\n\nReport")[0],
    )
    return {symbol: f"{value} {unit}" for symbol, value, unit in found}


@pytest.mark.slow
def test_an_item_gives_one_example_of_each_kind_at_most(many_examples, train):
    kinds = Counter(example.kind for example in many_examples)
    assert set(kinds) == set(KINDS) and min(kinds.values()) >= 15
    assert len({example.domain for example in many_examples}) >= 6
    assert set(Counter((example.seed_item, example.kind) for example in many_examples).values()) == {1}
    assert {example.seed_item for example in many_examples} <= {problem.id for problem in train}
    assert len({example.question for example in many_examples}) == len(many_examples)


def test_the_answer_follows_and_the_wrong_formula_differs(examples):
    compared = 0
    for example in examples:
        gold, other = (library().get(id) for id in (example.gold_equation, example.rejected_equation))
        known = printed(example.question)
        value = float(gold.evaluate("refuse", **{symbol: known[symbol] for symbol in gold.inputs}).magnitude)
        assert value == pytest.approx(example.answer, rel=1e-9), example.id
        assert find_statement(example.response, example.symbol).value == pytest.approx(
            example.answer, rel=1e-4
        )
        if set(other.inputs) <= set(known) and not {"theta", "K"} & set(known):
            try:
                wrong = other.evaluate("refuse", **{symbol: known[symbol] for symbol in other.inputs})
            except ValueError:
                continue
            assert abs(float(wrong.magnitude) / example.answer - 1) > 0.1, example.id
            compared += 1
    assert compared >= 5


@pytest.mark.slow
def test_the_question_excludes_only_the_rejected_equation(many_examples):
    for example in many_examples:
        known = find_facts(example.question)
        gold, other = (library().get(id) for id in (example.gold_equation, example.rejected_equation))
        admitted = [judge_condition(predicate, known, gold).holds for predicate in gold.regime.require]
        assert False not in admitted, example.id
        broken = any(
            judge_condition(predicate, known, other).holds is False for predicate in other.regime.require
        )
        failing = any(
            mode.predicate and judge_condition(mode.predicate, known, other).holds
            for mode in other.failure_modes
        )
        assert broken or failing, example.id
        assert gold.name in example.rationale and other.name in example.rationale
        flagged = "not applicable here; a fallback is needed" in example.response
        assert flagged == (example.kind == "assumption_flagging")
        assert other.name in example.question or not flagged


def test_a_number_that_follows_from_others_is_what_follows(train):
    seeds = [problem for problem in train if problem.family == "radiation.glowing_wall"]
    questions = [printed(example.question) for example in make_examples(seeds, 0)]
    stated = [known for known in questions if {"tau_opt", "kappa", "L"} <= set(known)]
    values = [[float(known[name].split()[0]) for name in ("tau_opt", "kappa", "L")] for known in stated]
    assert values and all(tau == pytest.approx(kappa * length, rel=5e-3) for tau, kappa, length in values)


def test_a_leak_is_found_and_there_is_none(examples, test):
    families, similar, nearest = leakage(examples, test).values()
    assert not families and not similar and nearest < 0.6
    planted = [
        replace(examples[0], seed_family=test[0].family),
        replace(examples[1], id="copied", question=test[5].question.replace("the", "that", 1)),
    ]
    families, similar, _ = leakage(planted, test).values()
    assert families == [test[0].family] and ["copied", test[5].id] in similar


@pytest.mark.slow
def test_the_draw_depends_on_seed_and_item_alone(many_examples, train):
    some = [problem for problem in train if problem.id.endswith("#0")][:14:2]
    again = {example.id: example for example in make_examples(some[::-1], 0)}
    assert all(again[example.id] == example for example in many_examples if example.id in again)
    assert make_examples(some, 1) != list(again.values())


def test_files_are_chats_and_a_table_of_one_shape(examples, test, made, tmp_path):
    write_examples(examples, summary(examples, test), made, 0, tmp_path)
    chats, rows = (
        [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        for name in ("openai/train.jsonl", "data/train.jsonl")
    )
    roles = {tuple(turn["role"] for turn in chat["messages"]) for chat in chats}
    assert roles == {("system", "user", "assistant")}
    assert rows == [json.loads(json.dumps(example.row())) for example in examples]
    shapes = {tuple((name, type(value).__name__) for name, value in each.items()) for each in rows}
    numbers = {type(given["value"]).__name__ for each in rows for given in each["inputs"]}
    assert len(shapes) == 1 and numbers == {"float"}
    card = (tmp_path / "README.md").read_text()
    assert f"{len(examples)} examples" in card and "{" not in card.replace('{"messages": [...]}', "")

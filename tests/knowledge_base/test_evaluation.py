"""The comparison of rankers: names are matched kindly, metrics are as defined, bad lines are named."""

import hashlib
import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from polars import DataFrame, lit

from ansatz.errors import InvalidData
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search.evaluation import (
    FILE,
    Evaluation,
    LabelledQuestion,
    evaluate_rankers,
    ranker_evaluation,
    read_questions,
)
from ansatz.knowledge_base.search.evaluation.ranker_evaluation import score_question
from tests.commands import ansatz

QUESTIONS = Path(__file__).with_name("questions.jsonl")
LETTERS = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("scores", "gold", "traps", "found", "miss"),
    [
        ({"a": 4, "b": 3, "c": 2, "d": 1}, ["a"], ["b"], (1, 1, 1, 1, 0, 0), None),
        ({"a": 4, "b": 3, "c": 2, "d": 1}, ["b"], ["a"], (0, 1, 1, 1 / 2, 1, 0), "b is 2.; a trap is 1.; first is a"),
        ({"a": 4, "b": 3, "c": 2, "d": 1}, ["b", "d"], ["c"], (0, 1 / 2, 1, 1 / 2, 0, 0), None),
        ({"a": 4, "b": 3, "c": 2, "d": 1}, ["db"], [], (0, 1, 1, 1 / 2, None, 0), None),
        ({"a": 4, "c": 2}, ["b"], ["c"], (0, 0, 0, 0, 1, 1), "b is excluded; a trap is 2.; first is a"),
        ({"a": 4}, ["b"], ["c"], (0, 0, 0, 0, 0, 1), "b is excluded; first is a"),
        ({"a": 4, "c": 2}, ["a", "b"], ["c"], (1 / 2, 1 / 2, 1 / 2, 1, 0, 1), "a is 1., b is excluded; first is a"),
        ({"a": 1, "b": 1}, ["db"], ["a"], (0, 1, 1, 1 / 2, 1, 0), "d or b is 2.; a trap is 1.; first is a"),
    ],
)  # fmt: skip
def test_contribution_of_a_question_to_each_metric(scores, gold, traps, found, miss):
    own = score_question(gold, traps, LETTERS, np.array([scores.get(id, -np.inf) for id in LETTERS]))
    assert tuple(own.values()) == (*found, miss)


def test_metrics_are_means_over_their_questions():
    names = (
        "domain",
        "recall@1",
        "recall@3",
        "recall@5",
        "found@5",
        "mrr",
        "trap_at_or_above_gold",
        "false_exclusion",
    )
    rows = [
        ("one", 1, 1, 1, 1, 1, 0, 0),
        ("two", 0.5, 1, 1, 0, 0.5, None, 0),
        ("two", 0, 0, 0.5, 0.5, 0, 1, 1),
    ]
    frame = DataFrame(rows, schema=names, orient="row", strict=False).with_columns(ranker=lit("r"))
    found = Evaluation(frame, (), ())
    whole = dict(zip(names[1:], (0.5, 2 / 3, 2.5 / 3, 0.5, 0.5, 0.5, 1 / 3), strict=True))
    assert found.metrics("r") == pytest.approx({"n": 3, "with_traps": 2} | whole)
    assert (found.metrics("r", "two")["n"], found.metrics("r", "two")["recall@1"]) == (2, 0.25)
    assert found.standard_errors("r")["recall@1"] == pytest.approx(0.5 / 3**0.5)
    assert found.standard_errors("r")["trap_at_or_above_gold"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "x", "question": "?"', ":2: not JSON"),
        ('{"id": "x", "question": "?"}', ":2: gold: Field required"),
        ('{"id": "x", "question": "", "gold": ["a"]}', ":2: question: String should have at least 1"),
        ('{"id": "x", "question": "?", "gold": ["a"], "trap": []}', ":2: trap: unknown field; did you mean 'traps'?"),
        ('{"id": "first", "question": "?", "gold": ["a"]}', ":2: id: 'first' occurs twice"),
        ("[1]", ":2: line: "),
    ],
)  # fmt: skip
def test_invalid_line_is_reported_with_its_field(tmp_path, line, message):
    file = tmp_path / "questions.jsonl"
    file.write_text('{"id": "first", "question": "?", "gold": ["a"]}\n' + line + "\n")
    with pytest.raises(InvalidData) as failure:
        read_questions(LabelledQuestion, file)
    assert f"{file}{message}" in str(failure.value)


def questions(**asked):
    """One for each id, of the question and what the gold is called."""
    return [LabelledQuestion(id=id, question=question, gold=gold) for id, (question, *gold) in asked.items()]


def test_questions_without_a_known_gold_are_left_out():
    named = ("Sutton-Graves heating", "SUTTON GRAVES stagnation heating, Earth", "nothing")
    found = evaluate_rankers(questions(known=named, unknown=("?", "nothing at all")), library(), ["bm25"])
    assert found.left_out == ("unknown",)
    assert [tuple(each.values()) for each in found.unmatched] == [
        ("known", "gold", "nothing"),
        ("unknown", "gold", "nothing at all"),
    ]
    assert (found.metrics("bm25")["n"], found.metrics("bm25")["recall@5"]) == (1, 1)


def test_refused_questions_are_listed():
    gold = "shock.normal.pressure_ratio"
    asked = questions(
        chinese=("正激波的静压比", gold), bread=("How long does a loaf of rye bread bake?", gold)
    )
    found = evaluate_rankers(asked, library(), ["bm25"])
    assert (found.scores["recall@5"][0], found.scores["found@5"].to_list()) == (1, [1, 0])
    assert found.refused == ("bread",)
    assert "a search returns nothing for 1 (bread)" in found.remarks()


def test_ranker_with_too_few_scores_is_refused(monkeypatch):
    short = SimpleNamespace(scores=lambda question: np.zeros(3))
    monkeypatch.setattr(ranker_evaluation, "find_ranker", lambda name: lambda library: short)
    with pytest.raises(InvalidData, match=r"ranker 'short' gives scores of shape \(3,\) for"):
        evaluate_rankers(read_questions(LabelledQuestion, QUESTIONS), library(), ["short"])


def test_regime_excludes_traps_and_no_gold():
    found = evaluate_rankers(read_questions(LabelledQuestion, QUESTIONS), library(), ["hybrid", "regime"])
    blind, aware = found.metrics("hybrid"), found.metrics("regime")
    assert aware["recall@5"] >= 0.9
    assert aware["trap_at_or_above_gold"] < blind["trap_at_or_above_gold"]
    assert aware["false_exclusion"] == 0
    assert [each["name"] for each in found.unmatched] == ["An unknown law"]


def test_command_prints_json_or_tables():
    command = ("kb", "evaluate", "--queries", QUESTIONS, "--ranker", "bm25")
    printed = json.loads(ansatz(*command, "--json").stdout)
    assert set(printed) == {"rankers", "unmatched", "left_out", "refused"}
    assert printed["rankers"]["bm25"]["n"] == 15
    assert set(printed["rankers"]["bm25"]["by_domain"]) >= {"newtonian", "cycle"}
    unmatched = {"question": "machine", "field": "traps", "name": "An unknown law"}
    assert printed["unmatched"] == [unmatched]
    output = ansatz(*command, "--misses").stdout
    for words in ("recall@5", "viscous_interaction", "bm25: ", f"unmatched: {': '.join(unmatched.values())}"):
        assert words in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--queries", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (["--queries", QUESTIONS, "--ranker", "bm52"], "there is no ranker 'bm52'; did you mean 'bm25'?"),
    ],
)
def test_command_refuses_bad_input_in_one_line(arguments, message):
    done = ansatz("kb", "evaluate", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


# Each set: how many questions a domain has at least, and the share of them that set a trap.
SETS = {
    "": (10, 2 / 3),
    "fresh_": (15, 0.73),
    "everyday_": (5, 0.73),
    "styles_": (10, 0.73),
    "styles_blind_": (10, 0.73),
    "authors_": (6, 0.73),
}
IDS = {equation.id for equation in library()}


@pytest.mark.parametrize("name", SETS)
def test_set_has_known_names_and_covers_its_domains(name):
    asked, (count, trapped) = (
        read_questions(LabelledQuestion, FILE.with_name(f"{name}questions.jsonl")),
        SETS[name],
    )
    assert min(Counter(question.domain for question in asked).values()) >= count
    assert max(Counter(" ".join(one.question.casefold().split()) for one in asked).values()) == 1
    for question in asked:
        named = (*question.gold, *question.traps)
        assert set(named) <= IDS and len(set(named)) == len(named), question.id
    assert sum(bool(question.traps) for question in asked) >= trapped * len(asked)


def test_locked_questions_are_unchanged():
    file = FILE.with_name("authors_questions.jsonl")
    locked = FILE.with_name("questions.md").read_text(encoding="utf-8")
    assert hashlib.sha256(file.read_bytes()).hexdigest() in locked


def test_questions_cover_every_domain_without_naming_it():
    assert {one.domain for one in read_questions(LabelledQuestion, FILE)} == set(library().domains)
    names = {equation.id: equation.name.casefold() for equation in library()}
    for one in read_questions(LabelledQuestion, FILE):
        assert not [
            id for id in one.gold if len(names[id].split()) > 2 and names[id] in one.question.casefold()
        ]

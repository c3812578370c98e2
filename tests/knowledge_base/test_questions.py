"""The questions kept with the base: they name entries, none repeats, and sets are balanced over domains."""

import hashlib
from collections import Counter

import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search.evaluation import FILE, read_questions

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
def test_a_set_names_entries_once_each_and_asks_about_every_domain_that_it_has(name):
    questions, (count, trapped) = read_questions(FILE.with_name(f"{name}questions.jsonl")), SETS[name]
    assert min(Counter(question.domain for question in questions).values()) >= count
    assert max(Counter(" ".join(one.question.casefold().split()) for one in questions).values()) == 1
    for question in questions:
        named = (*question.gold, *question.traps)
        assert set(named) <= IDS and len(set(named)) == len(named), question.id
    assert sum(bool(question.traps) for question in questions) >= trapped * len(questions)


def test_the_authors_questions_are_those_that_were_locked():
    file = FILE.with_name("authors_questions.jsonl")
    locked = FILE.with_name("questions.md").read_text(encoding="utf-8")
    assert hashlib.sha256(file.read_bytes()).hexdigest() in locked


def test_our_own_ask_about_every_domain_and_none_gives_its_answer_away_by_name():
    questions = read_questions(FILE)
    assert {question.domain for question in questions} == set(library().domains)
    names = {equation.id: equation.name.casefold() for equation in library()}
    for question in questions:
        asked = question.question.casefold()
        assert not [id for id in question.gold if len(names[id].split()) > 2 and names[id] in asked]

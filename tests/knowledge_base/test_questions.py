"""The questions kept with the base: every name is an entry's id, every domain has its share, none repeats."""

from collections import Counter

import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search.evaluation import read_questions

QUESTIONS = read_questions()
DOMAINS = {equation.domain for equation in library()}
IDS = {equation.id for equation in library()}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_a_question_names_entries_once_each(question):
    named = (*question.gold, *question.traps)
    assert set(named) <= IDS
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_every_domain_is_asked_about(domain):
    assert sum(question.domain == domain for question in QUESTIONS) >= 10


def test_questions_belong_to_domains_of_the_base_and_say_so():
    for question in QUESTIONS:
        domain, number = question.id.rsplit("-", 1)
        assert question.domain == domain in DOMAINS
        assert number.isdigit()


def test_there_are_enough_questions_and_none_repeats():
    texts = Counter(" ".join(question.question.casefold().split()) for question in QUESTIONS)
    assert len(QUESTIONS) >= 230
    assert max(texts.values()) == 1


def test_most_questions_set_a_trap():
    assert sum(bool(question.traps) for question in QUESTIONS) >= 2 / 3 * len(QUESTIONS)


def test_no_question_gives_its_answer_away_by_name():
    names = {equation.id: equation.name.casefold() for equation in library()}
    for question in QUESTIONS:
        asked = question.question.casefold()
        assert not [id for id in question.gold if len(names[id].split()) > 2 and names[id] in asked]

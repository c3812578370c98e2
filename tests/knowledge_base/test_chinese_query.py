"""Chinese questions are searched by the base's own terms; other languages are refused."""

import pytest
import yaml

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import chinese_query
from ansatz.knowledge_base.search.abstention import OTHER_SCRIPT
from ansatz.knowledge_base.search.chinese_query import translate_question
from ansatz.knowledge_base.search.ranking import load_word_index
from ansatz.knowledge_base.search.searcher import get_searcher
from ansatz.knowledge_base.search.tokenizing import split_terms


@pytest.mark.parametrize(
    ("question", "english"),
    [
        (
            "地球再入：用头部半径 0.5 米估算驻点热流密度。",
            "Earth entry : nose radius 0.5 m estimate stagnation point heat flux .",
        ),
        ("speed of sound at 300 K", "speed of sound at 300 K"),
        ("如何烤面包", "如何烤面包"),
        ("空気中の音速を求めよ", "空気中の音速を求めよ"),
    ],
)
def test_known_terms_are_translated(question, english):
    assert " ".join(translate_question(question).split()) == english


def test_glossary_uses_words_of_the_base():
    words = load_word_index(library())
    glossary = yaml.safe_load(chinese_query._GLOSSARY.read_text(encoding="utf-8"))
    assert not {
        phrase for phrase in glossary.values() if not all(term in words for term in split_terms(phrase))
    }


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("空气中的声速，温度 300 K", "sound_speed_perfect"),
        ("正激波后的压力比，马赫数 3", "shock.normal.pressure_ratio"),
        ("卡诺循环的热效率", "carnot"),
    ],
)
def test_chinese_question_finds_its_entry(question, entry):
    assert any(entry in hit.equation.id for hit in get_searcher("bm25").search(question).hits)


@pytest.mark.parametrize("question", ["空気中の音速を求めよ", "공기 중의 음속을 구하시오", "如何烤面包"])
def test_question_outside_the_glossary_is_refused(question):
    assert get_searcher("bm25").search(question).reason == OTHER_SCRIPT

"""Spotting: the letters that matches begin with, and the same matches as each pattern finds alone."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.knowledge_base.regime.multi_pattern import MultiPattern, heads


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        (r"\bcone\b", {"con"}),
        (r"\b(?:mars|venus)\b", {"mar", "ven"}),
        (r"(?<!swept )\bcylinders?\b", {"cyl"}),
        (r"\bo2\b", {"o2"}),
        (r"\br-?134a", {"r-1", "r13"}),
        (r"\b(?:fully )?dry|\bgr[ae]y", {"ful", "dry", "gra", "gre"}),
        (r"\ba\w+ly\b", {"a"}),
        (r"\bin +air", {"in"}),
    ],
)
def test_the_letters_that_a_match_begins_with(pattern, letters):
    assert heads(pattern) == letters


@pytest.mark.parametrize("pattern", [r"\b\w+ plate", r"\b(?:\w+ )?plate", "[^a]b", ""])
def test_a_pattern_that_may_begin_with_any_letter_is_refused(pattern):
    with pytest.raises(ValueError, match="may begin with any letter"):
        MultiPattern([re.compile(pattern)])


PATTERNS = [
    re.compile(pattern)
    for pattern in (r"\bab?a\b", r"\b(?:a|ba) b", r"\ba[ab]+", r"(?<!b )\baa?", r"\bb(?! a)", r"\bbb(?: b)*")
]


@given(st.text(alphabet="ab ,", max_size=30))
def test_the_same_is_found_as_by_each_pattern_alone(text):
    alone = {place: [each.span() for each in one.finditer(text)] for place, one in enumerate(PATTERNS)}
    found = MultiPattern(PATTERNS).matches(text)
    assert {place: [each.span() for each in matches] for place, matches in found.items()} == {
        place: spans for place, spans in alone.items() if spans
    }

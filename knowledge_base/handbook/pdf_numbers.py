"""The numbers of headings, such as "3.2.1", "A.1" and "Chapter 4"."""

from __future__ import annotations

import re
from functools import lru_cache

NUMBERED = re.compile(
    r"(?:(?P<word>chapter|appendix|annex|part)\s+)?(?P<number>\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+|(?<=\s)[A-Z])"
    r"(?:[.:)]?\s+|\s*[–—]\s*)(?=\S)",
    re.IGNORECASE,
)
"""The number at the beginning of a heading."""
_LABEL = re.compile(
    r"(?:chapter|appendix|annex|part)\s+(?:\d{1,3}|[A-Z]|[IVX]+|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)[.:]?",
    re.IGNORECASE,
)
_APPENDIX = 1000  # the number of appendix A


def is_label(text: str) -> bool:
    """Whether a line is the number of a chapter without its title, such as "Chapter 6"."""
    return bool(_LABEL.fullmatch(text))


def starts_label(text: str) -> bool:
    """Whether a line is the word of a chapter's number, such as "CHAPTER" above "ONE"."""
    return is_label(f"{text} A")


def is_labelled(text: str) -> bool:
    """Whether a title begins with the number of a chapter in words, such as "Chapter 6: Pumps"."""
    match = NUMBERED.match(text)
    return bool(match and match["word"])


def read_number(text: str) -> str:
    """Return the number of a heading, such as "3.2.1" or "A.1"; "" if it has none."""
    match = NUMBERED.match(text)
    return match["number"].upper() if match and (match["word"] or not match["number"].isalpha()) else ""


def strip_number(text: str) -> str:
    """Return a heading without its number."""
    match = NUMBERED.match(text)
    return text[match.end() :] if match else text


def split_number(number: str) -> tuple[int, ...]:
    """Return the parts of a number; appendices come after all chapters."""
    return tuple(
        int(part) if part.isdigit() else _APPENDIX + ord(part) - ord("A")
        for part in number.split(".")
        if part
    )


def follows(last: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether a number comes next after another: 3.2.1, 3.3, 4 or A after 3.2. One number may be missing."""
    if not last or new[0] == _APPENDIX:
        return set(new[1:]) <= {1} and new[0] in (1, _APPENDIX)
    if new == (*last, 1):
        return True
    shared = len(new) - 1
    if len(last) > shared and last[:shared] == new[:shared]:
        return 0 < new[shared] - last[shared] <= 2
    return len(new) == 2 and new[1] == 1 and new[0] == last[0] + 1


@lru_cache(maxsize=1 << 14)  # a line is compared with many titles
def make_key(title: str) -> str:
    """Return the letters and digits of a title, to compare it."""
    return re.sub(r"[\W_]", "", title).casefold()

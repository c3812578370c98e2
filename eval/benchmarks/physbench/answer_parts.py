"""An answer read into the parts of PhysBench's template, however their headings are written.

The parts are the problem formulation (given, find, approach, assumptions), the step-by-step solution, and the
final answer (Scaria et al., figure 7). Headings may be Markdown, bold,
numbered, in capitals, or followed by their text on the same line; parts may be missing or in another order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Part = Literal["formulation", "solution", "final"]
_TITLES: dict[Part, str] = {
    "formulation": "Problem Formulation",
    "solution": "Step-by-step Solution",
    "final": "Final Answer",
}
PARTS = tuple(_TITLES)

# Runs of marks are matched possessively, so that a long one costs no more than its length.
_MARKS = r"[ \t>\#*_•-]*+"  # quote, heading, list, bold
_BOLD = r"[ \t*_]*+"
_NUMBER = (
    r"(?:(?:part|section)[ \t]*+)?(?:(?:\d{1,2}|[ivx]{1,4}|[a-d])[.):]|\([1-9a-d]\)|[1-3][ ]?[-–—][ ])?"
    + _BOLD
)
_NAMES: dict[Part, str] = {
    "formulation": r"problem[ ](?:formulation|set-?[ ]?up) | formulation(?:[ ]of[ ]the[ ]problem)?",
    "solution": r"""(?:detailed[ ])?step[- ]?by[- ]?step(?:[ ]detailed)?(?:[ ]solution)?
        | detailed[ ]solution | solution(?:[ ]steps)?""",
    "final": r"(?:the[ ])?final[ ]answers? | answers?[ ]to[ ]the[ ](?:entire|whole)[ ]question",
}
_END = rf"{_BOLD}(?P<colon>[:：])?{_BOLD}(?P<rest>[^\n]*)$"
_FLAGS = re.IGNORECASE | re.MULTILINE | re.VERBOSE
_ANY_PART = "|".join(f"(?P<{part}>{names})" for part, names in _NAMES.items())
_HEADING = re.compile(rf"^{_MARKS}(?:{_NUMBER})?(?:{_ANY_PART}){_END}", _FLAGS)
_FIELDS = "given|find|approach|assumptions?|known|unknown|to[ ]find"
_FIELD = re.compile(rf"^{_MARKS}(?P<name>{_FIELDS}){_BOLD}[:：]{_BOLD}", _FLAGS)
_SAME = {"assumption": "assumptions", "known": "given", "unknown": "find", "to find": "find"}


@dataclass(frozen=True)
class AnswerParts:
    """An answer by its parts, as they stand; one without a heading of its own is absent from `parts`.

    `formulation` holds the fields of the first part by name.
    """

    text: str
    parts: dict[Part, str]
    formulation: dict[str, str]

    @property
    def is_compliant(self) -> bool:
        """Whether all three parts are labelled, none is empty, and they stand in the template's order."""
        return not self.faults

    @property
    def faults(self) -> tuple[str, ...]:
        """What keeps the answer from following the template, and what its parts leave out."""
        lines = [f"no part {_TITLES[part]}" for part in PARTS if part not in self.parts]
        lines += [f"{_TITLES[part]} is empty" for part, text in self.parts.items() if not text.strip()]
        if not lines and tuple(self.parts) != PARTS:
            lines.append(f"the order of the parts is {', '.join(_TITLES[part] for part in self.parts)}")
        return tuple(lines)


def read_answer(text: str) -> AnswerParts:
    """The parts of an answer. Never raises; of a heading that occurs again, the longest part counts."""
    parts: dict[Part, str] = {}
    headings = [(part, found) for found in _HEADING.finditer(text) if (part := _opened(found))]
    ends = [found.start() for _, found in headings[1:]] + [len(text)]
    for (part, found), end in zip(headings, ends, strict=False):
        content = f"{found['rest'].strip()}{text[found.end() : end]}".strip()
        if part not in parts or len(content) > len(parts[part]):
            parts.pop(part, None)  # it moves to the place of its longest text
            parts[part] = content
    return AnswerParts(text, parts, _fields(parts.get("formulation", text)))


def _opened(found: re.Match[str]) -> Part | None:
    """The part a line opens; None for a line of prose that begins with the same words."""
    part = next(part for part in PARTS if found[part] is not None)
    if found["colon"] or not found["rest"].strip(" *_."):
        return part
    # "**Final Answer** 12 m" and "## Solution of the problem" open a part, "Solution by parts gives" does not
    decorated = bool(re.match(r"[ \t]*(?:>[ \t]*)?(?:#|[*_]{2})", found[0]))
    return part if decorated and (part == "final" or found[0].lstrip().startswith("#")) else None


def _fields(text: str) -> dict[str, str]:
    """The labelled lines of a text by label, each up to the next; the first of a name counts."""
    labels = list(_FIELD.finditer(text))
    ends = [label.start() for label in labels[1:]] + [len(text)]
    found: dict[str, str] = {}
    for label, end in zip(labels, ends, strict=False):
        name = label["name"].lower()
        found.setdefault(_SAME.get(name, name), text[label.end() : end].strip())
    return {name: content for name, content in found.items() if content}

"""What a P-REFS judge is asked: criteria, problem, the matching part of the reference, and the work to mark.

Work that keeps the answer template is shown part by part, each with its own criteria; other work is shown
whole, with all of them (Scaria et al., appendix E). The problem and the text alone make the request.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from ansatz.eval.benchmarks.physbench.answer_template import PARTS, Answer, read_answer
from ansatz.eval.benchmarks.physbench.error_types import ERROR_TYPES
from ansatz.eval.benchmarks.physbench.prefs_rubric import CRITERIA, Criterion, criteria_of, is_conceptual
from ansatz.eval.benchmarks.physbench.structure import solution_text
from ansatz.eval.judges.request import fenced
from ansatz.eval.problem import Problem

_AGAIN = (
    "An earlier reply was cut off or could not be read. Mark only the criteria listed above, "
    "and keep each justification below 25 words."
)
_FINDINGS = (
    "A program has read the same work by rules. Where it states a recomputed number, trust the number; what "
    "it did not find may still be there in other words."
)


@dataclass(frozen=True)
class Sheet:
    """One request's content: what is judged (`title`), the criteria in their order, work and reference."""

    title: str
    criteria: tuple[Criterion, ...]
    work: str
    reference: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.criteria)

    @property
    def tags(self) -> tuple[str, ...]:
        """The codes of the errors that may be tagged."""
        return tuple(each.error for each in self.criteria if each.error)


def sheets(problem: Problem, answer: Answer, seed: int, judge: str) -> tuple[Sheet, ...]:
    """One sheet for each part of an answer that keeps the template, else one for the whole.

    The order of the criteria on a sheet is drawn for this answer and this judge.
    """
    drawn = random.Random(f"{seed}/{judge}/{problem.id}/{answer.text}")
    criteria = criteria_of(problem)
    key = solution_text(problem)
    if not answer.is_compliant:
        order = tuple(drawn.sample(criteria, len(criteria)))
        return (Sheet("whole solution", order, answer.text, key),)
    parts = read_answer(key).parts
    return tuple(
        Sheet(_TITLES[part], tuple(drawn.sample(own, len(own))), answer.parts[part], parts.get(part, key))
        for part in PARTS
        if (own := [each for each in criteria if each.part == part])
    )


_TITLES = {
    "formulation": "problem formulation",
    "solution": "step-by-step solution",
    "final": "final answer",
}


def messages(
    problem: Problem, sheet: Sheet, wanted: Sequence[str], findings: Mapping[str, str], again: bool
) -> list[BaseMessage]:
    """The request for the wanted criteria of a sheet."""
    told = [f"{name}: {findings[name]}" for name in wanted if name in findings]
    parts = [
        f"# Problem\n\n{problem.ask().text}",
        f"# Reference, {sheet.title}\n\n{sheet.reference}",
        *([f"# Findings\n\n{_FINDINGS}\n\n{fenced(chr(10).join(told), 'REVIEW')}"] if told else []),
        f"# Work, {sheet.title}\n\n{fenced(sheet.work, 'WORK')}",
        f"Mark the {sheet.title} on {', '.join(wanted)}." + (f" {_AGAIN}" if again else ""),
    ]
    return [SystemMessage(_instructions(problem, sheet, wanted)), HumanMessage("\n\n".join(parts))]


def _instructions(problem: Problem, sheet: Sheet, wanted: Sequence[str]) -> str:
    rubric = [sections()[name] for name in wanted]
    kinds = [f"- {each.code}: {each.meaning}" for each in ERROR_TYPES if each.code in sheet.tags]
    tags = f"Kinds of errors:\n\n{chr(10).join(kinds)}" if kinds else "There are no kinds of errors to tag."
    asks = "question" if is_conceptual(problem) else "problem"
    return "\n\n".join([text("prefs_instructions"), tags, f"Criteria for this {asks}:", *rubric])


@cache
def text(name: str) -> str:
    """A prompt file of this folder."""
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def sections() -> dict[str, str]:
    """The question behind each criterion. Raises ValueError where the file and the rubric differ."""
    parts = [part.strip() for part in re.split(r"^(?=## )", text("prefs_rubric"), flags=re.MULTILINE)]
    found = {part.splitlines()[0][3:]: part for part in parts if part}
    if set(found) != set(CRITERIA):
        raise ValueError(
            f"prefs_rubric.md describes {', '.join(found)}; it must describe {', '.join(CRITERIA)}"
        )
    return found


def prompt_hash() -> str:
    """SHA-256 of every prompt that a judge may see, for the manifest of a run."""
    kinds = "\n".join(f"{each.code}: {each.meaning}" for each in ERROR_TYPES)
    whole = "\n".join([text("prefs_instructions"), text("prefs_rubric"), kinds, _FINDINGS, _AGAIN])
    return hashlib.sha256(whole.encode()).hexdigest()

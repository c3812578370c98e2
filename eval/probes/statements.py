"""Find the givens that a problem states as `symbol = number unit`, and replace them in its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ansatz.eval.problem import Given, NumberTarget, Problem, ReferenceSolution

_NUMBER = r"[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_AFTER = r"(?![\w^*/]|\.\d)"


@dataclass(frozen=True)
class LocatedGiven:
    """One given as the text states it."""

    given: Given
    number: str
    """The number as written."""
    unit: str
    """The unit as written; empty for a pure number."""

    @property
    def pattern(self) -> str:
        """A pattern of the statement: symbol, equals sign, number and unit."""
        unit = rf"\s+{re.escape(self.unit)}{_AFTER}" if self.unit else r"(?![\w.]*\d)"
        return rf"(?<![\w^]){re.escape(self.given.name)}\s*=\s*{re.escape(self.number)}{unit}"


def find_statements(problem: Problem) -> list[LocatedGiven]:
    """Return the numeric givens that question or context state exactly once, with the unit as written."""
    text = f"{problem.context}\n{problem.question}"
    found = (_find_statement(given, text) for given in problem.givens if not isinstance(given.value, str))
    return [each for each in found if each is not None]


def _find_statement(given: Given, text: str) -> LocatedGiven | None:
    bare = "" if given.unit == "-" else given.unit
    for unit in dict.fromkeys((bare, bare.replace("*", " "), bare.replace("*", "·"))):
        written = rf"\s+{re.escape(unit)}{_AFTER}" if unit else r"(?![\w.]*\d)"
        pattern = rf"(?<![\w^]){re.escape(given.name)}\s*=\s*({_NUMBER}){written}"
        matches = re.findall(pattern, text)
        if len(matches) == 1 and float(matches[0].replace("−", "-")) == given.value:
            return LocatedGiven(given, matches[0], unit)
    return None


def replace_statement(problem: Problem, statement: LocatedGiven, text: str) -> Problem:
    """Return the problem with another text for a statement, in its question, context and formulation."""
    return rewrite_texts(problem, lambda old: re.sub(statement.pattern, lambda _: text, old))


def rewrite_texts(problem: Problem, rewrite: Callable[[str], str]) -> Problem:
    """Return the problem with its question, context and formulation rewritten."""
    reference = problem.reference
    if formulation := reference.formulation:
        parts = {
            name: rewrite(getattr(formulation, name)) for name in ("given", "find", "approach", "assumptions")
        }
        reference = reference.model_copy(update={"formulation": formulation.model_copy(update=parts)})
    texts = {"question": rewrite(problem.question), "context": rewrite(problem.context)}
    return problem.model_copy(update={**texts, "reference": reference})


def replace_given(problem: Problem, name: str, **changes: object) -> Problem:
    """Return the problem with other fields of a given."""
    givens = (each.model_copy(update=changes) if each.name == name else each for each in problem.givens)
    return problem.model_copy(update={"givens": tuple(givens)})


def split_answer_form(question: str) -> tuple[str, str]:
    """Split a question into its text and the lines `symbol = ___ unit` at its end."""
    head, separator, form = question.rpartition("\n\n")
    return (head, separator + form) if "___" in form and "___" not in head else (question, "")


def number_targets(problem: Problem) -> Iterator[NumberTarget]:
    """Yield the targets that are numbers with a right value."""
    yield from (each for each in problem.targets if isinstance(each, NumberTarget) and each.value is not None)


def without_solution(reference: ReferenceSolution) -> ReferenceSolution:
    """Return the reference without what another unit or number would make wrong; the formulation stays."""
    return ReferenceSolution(
        formulation=reference.formulation,
        gold_equations=reference.gold_equations,
        trap_equations=reference.trap_equations,
        trap=reference.trap,
    )

"""Formulas that nobody knows: neither the reference, nor the knowledge base, nor what follows from them."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.eval.rubrics.arithmetic import Formula
from ansatz.eval.rubrics.equivalence import is_special_case, likeness
from ansatz.eval.rubrics.evidence import gather
from ansatz.eval.rubrics.working import Working
from ansatz.knowledge_base.equation import Equation

_TRIVIAL = 2  # operations up to which a formula may be a definition, such as a ratio or a product


def invented(working: Working) -> tuple[str, ...]:
    """The formulas for a quantity of the problem that match nothing known, as they are written.

    Known is an equation of the knowledge base up to its constant, one with symbols set to one or zero, and
    what comes to a value of the reference at the problem's numbers. Ratios and products are definitions.
    """
    unknown = (term.formula for term in gather(working).unknown)
    return tuple(
        formula.text.strip()[:120]
        for formula in unknown
        if formula.operations > _TRIVIAL and not _is_known(formula, working)
    )


def has_formulas(working: Working) -> bool:
    """Whether any formula in symbols is shown at all."""
    return any(term.formula.names for term in working.terms)


def _is_known(formula: Formula, working: Working) -> bool:
    if any(is_special_case(formula, equation) for equation in (*working.gold, *working.traps)):
        return True
    return any(likeness(formula, equation) != "other" for equation in _alike(formula, working))


def _alike(formula: Formula, working: Working) -> Iterator[Equation]:
    """Equations with as many symbols; a match needs every input."""
    for equation in working.library:
        inputs = len(equation.inputs) if equation.expr else len(equation.symbols)
        if inputs <= len(formula.names) <= inputs + len(equation.constants):
            yield equation

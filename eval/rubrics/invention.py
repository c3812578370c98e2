"""Formulas that nobody knows: neither the reference, nor the knowledge base, nor what follows from them."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.eval.rubrics.arithmetic import Formula
from ansatz.eval.rubrics.equivalence import is_special_case, likeness
from ansatz.eval.rubrics.evidence import gather
from ansatz.eval.rubrics.working import Working
from ansatz.knowledge_base.equation import Equation
from ansatz.quantities.terms import spelled

_FEW = 2  # operations up to which a formula of symbols and small factors is a definition, such as a ratio
_SMALL = (0.5, 1.0, 2.0, 3.0, 4.0)


def invented(working: Working) -> tuple[str, ...]:
    """The formulas for a quantity of the problem that match nothing known, as they are written.

    Known are the equations of the knowledge base, those of the reference and its traps also with another
    constant or with symbols set to one or zero, and what comes to a value of the reference at the problem's
    numbers. Ratios and products of few symbols are definitions.
    """
    unknown = (term.formula for term in gather(working).unknown)
    return tuple(
        formula.text.strip()[:120]
        for formula in unknown
        if not _is_definition(formula) and not _is_known(formula, working)
    )


def has_formulas(working: Working) -> bool:
    """Whether any formula in symbols is shown at all."""
    return any(term.formula.names for term in working.terms)


def _is_definition(formula: Formula) -> bool:
    return formula.operations <= _FEW and all(abs(literal) in _SMALL for literal in formula.literals)


def _is_known(formula: Formula, working: Working) -> bool:
    own = (*working.gold, *working.traps)
    if any(is_special_case(formula, each) or likeness(formula, each) != "other" for each in own):
        return True
    domains = {equation.domain for equation in working.gold}
    return any(
        likeness(formula, equation, guess=equation.domain in domains) == "same"
        for equation in _alike(formula, working)
    )


def _alike(formula: Formula, working: Working) -> Iterator[Equation]:
    """Equations with as many inputs as the formula has symbols, but for those that name a constant."""
    names = set(map(spelled, formula.names))
    for equation in working.library:
        inputs = len(equation.inputs) if equation.expr else len(equation.symbols)
        constants = len(names & set(map(spelled, equation.constants)))
        if inputs == len(formula.names) - constants:
            yield equation

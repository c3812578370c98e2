"""Checks for G1: whether the answer uses the right equations, by the forms and values of its formulas.

An answer shows a step of the reference solution by a tool call with its equation, by a formula of the same
form, or by an expression with the same value. Symbols may differ. Traps are found in the same way: equations
that are right elsewhere and wrong here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from ansatz.errors import ExpressionError
from ansatz.eval.problem import Given, SolutionStep
from ansatz.eval.verifier.computed_checks import is_given
from ansatz.eval.verifier.equivalence import (
    compare_to_equation,
    is_reference_form,
    is_special_case,
    read_step,
)
from ansatz.eval.verifier.working import SAME, RuleScore, Working, score_with_faults
from ansatz.quantities.calculation import Term
from ansatz.quantities.findings import CONVERSIONS, Finding
from ansatz.quantities.scales import convert_to_si, find_scale, is_close
from ansatz.quantities.terms import normalize_symbol
from ansatz.quantities.tree import Numeral, evaluate_tree, replace_leaf

_MOST_TERMS = 60
_NEAR = 0.10  # relative: a trap does not lead to a final value this close to the right one
_CLEAR = 0.05  # relative: values that differ by more are different values
_FEW = 2  # most operations of a definition, such as a ratio of symbols with small factors


@dataclass
class FormulaEvidence:
    """Evidence for the steps of the reference solution and for traps."""

    steps: dict[int, str] = field(default_factory=dict)
    """Evidence by index of the step."""
    trap: Finding | None = None
    """The first use of a trap."""
    variant: Term | None = None
    """The first formula with the right form and another constant."""
    unknown: list[Term] = field(default_factory=list)
    """Formulas that match no equation of the reference solution."""


def check_formulas(working: Working) -> RuleScore:
    """Score G1.

    2: every equation of the reference solution is shown. 1: some are, or one has the right form with another
    constant. 0: a trap, or a formula with another value. None: no formula can be compared.
    """
    steps = _select_reference_steps(working)
    if not steps and not working.gold:
        return RuleScore(None, "the reference has no equations and no steps")
    shown, right = collect_evidence(working), working.is_near(_NEAR)
    if shown.trap and not right:
        return score_with_faults(0, [shown.trap])
    evidence = "; ".join(dict.fromkeys(shown.steps.values()))
    is_exact = working.is_near()
    if steps and (len(shown.steps) == len(steps) or (is_exact and shown.steps)):
        return RuleScore(2, evidence)
    if shown.variant and not is_exact:
        finding = Finding("formula", shown.variant.quote, "has the right form with another constant")
        return score_with_faults(1, [finding])
    unshown = [step for place, step in enumerate(steps) if place not in shown.steps]
    wrong = next(chain(_find_other_values(working), _find_unlike_steps(working, unshown)), None)
    if wrong and not right:
        return score_with_faults(1 if shown.steps else 0, [wrong])
    if shown.steps:
        missing = [step.equation or step.expression for step in unshown]
        return RuleScore(1, f"{evidence}; not shown: {', '.join(missing)}")
    if is_exact and any(term.is_numeric for term in working.terms):
        return RuleScore(2, "the substitutions shown come to the right results")
    return RuleScore(None, "no formula is shown that could be compared with the reference")


def _select_reference_steps(working: Working) -> list[SolutionStep]:
    """Return the steps of the reference solution that name an equation, or all steps if none does."""
    steps = working.problem.reference.steps
    return [step for step in steps if step.equation] or ([] if working.gold else list(steps))


def collect_evidence(working: Working) -> FormulaEvidence:
    """Collect evidence from tool calls, formulas and substitutions."""
    shown = FormulaEvidence()
    steps = _select_reference_steps(working)
    equations = [step.equation or step.expression for step in steps]
    for id in (str(call.arguments.get("id", "")) for call in working.tool_calls):
        shown.steps |= {
            place: f"{id} was evaluated by a tool"
            for place, equation in enumerate(equations)
            if equation == id
        }
        if id in {trap.id for trap in working.traps}.difference(equations):
            shown.trap = Finding("formula", id, "is a trap, evaluated by a tool")
    for term in (*working.terms, *working.code_terms)[:_MOST_TERMS]:
        places = [place for place, step in enumerate(steps) if _shows_step(term, step, working)]
        for place in places:
            shown.steps.setdefault(place, f"{equations[place]}: “{term.quote[:80]}”")
        if places:
            continue
        if not term.formula.names:
            shown.trap = shown.trap or _find_trap_value(term, steps, working)
            continue
        likenesses = {compare_to_equation(term.formula, equation) for equation in working.gold}
        traps = (
            each for each in working.traps if compare_to_equation(term.formula, each, guess=False) == "same"
        )
        if "same" not in likenesses and (trap := next(traps, None)):
            shown.trap = shown.trap or Finding("formula", term.quote, f"is {trap.id}, a trap")
        elif "proportional" in likenesses:
            shown.variant = shown.variant or term
        elif term.names:
            shown.unknown.append(term)
    return shown


def find_invented_formulas(working: Working) -> tuple[str, ...]:
    """Find the formulas for a quantity of the problem that match no known equation.

    Known equations are those of the knowledge base. Those of the reference solution also match with another
    constant, or with symbols set to one or zero. Ratios and products of few symbols count as definitions.
    """
    wanted = {normalize_symbol(target.name) for target in working.targets}
    wanted |= {normalize_symbol(step.symbol) for step in working.problem.reference.steps}
    return tuple(
        term.formula.text[:120]
        for term in collect_evidence(working).unknown
        if wanted & set(map(normalize_symbol, term.names)) and not _is_known(term, working)
    )


def _is_known(term: Term, working: Working) -> bool:
    formula = term.formula
    if formula.operations <= _FEW and all(number.is_factor for number in formula.numbers):
        return True
    for equation in (*working.gold, *working.traps):
        if is_special_case(formula, equation) or compare_to_equation(formula, equation) != "other":
            return True
    known = {normalize_symbol(name) for name in formula.names}
    domains = {equation.domain for equation in working.gold}
    for equation in working.library:
        inputs = len(equation.inputs) if equation.expr else len(equation.symbols)
        constants = len(known & set(map(normalize_symbol, equation.constants)))
        if inputs == len(formula.names) - constants and (
            compare_to_equation(formula, equation, guess=equation.domain in domains) == "same"
        ):
            return True
    return False


def _shows_step(term: Term, step: SolutionStep, working: Working) -> bool:
    """Whether an expression has the form of a step's equation, or the step's value."""
    if term.formula.names:
        gold = next((each for each in working.gold if each.id == step.equation), None)
        if gold and compare_to_equation(term.formula, gold, working.stated_values) == "same":
            return True
        if is_reference_form(term.formula, step.expression):
            return True
    expected = convert_to_si(step.value, step.unit)
    defines = normalize_symbol(step.symbol) in map(normalize_symbol, term.names)
    if expected is None or (term.formula.operations < 2 and not defines):
        return False
    return any(is_close(value, expected, SAME) for value in evaluate_term(term, working, step.unit))


def evaluate_term(term: Term, working: Working, unit: str) -> Iterator[float]:
    """Yield possible SI values of a term.

    A term in symbols is evaluated with the problem's values. A numeric term is taken to be in SI units, in
    `unit`, or in the unit of the result that the answer claims.
    """
    if term.formula.names:
        value = term.formula.value(working.find_values(term.formula.names))
        if value is not None:
            yield value
        return
    units = {unit, term.claimed.unit if term.claimed else ""}
    for value in term.formula.readings():
        yield value
        for known in map(find_scale, units):
            if known and known.factor != 1.0:
                yield value * known.factor + known.offset


def _find_trap_value(term: Term, steps: list[SolutionStep], working: Working) -> Finding | None:
    """Find a substitution with the value of a trap that is not a value of the reference solution."""
    for trap in working.traps if term.formula.operations > 1 else ():
        inputs = {
            name: working.known_values[normalize_symbol(name)]
            for name in trap.inputs
            if normalize_symbol(name) in working.known_values
        }
        if trap.expr is None or len(inputs) < len(trap.inputs):
            continue
        try:
            value = float(trap.formula({**trap.constant_values, **inputs}))
        except ExpressionError:
            continue
        if any(is_close(value, known, _CLEAR) for known in working.known_values.values()):
            continue
        if any(
            is_close(each, value, SAME) for step in steps for each in evaluate_term(term, working, step.unit)
        ):
            message = f"comes to the value of {trap.id}, a trap"
            return Finding("formula", term.quote, message, None, value)
    return None


def _find_other_values(working: Working) -> Iterator[Finding]:
    """Find formulas for a target that do not give its right value with the given values."""
    computed = {normalize_symbol(name) for term in working.terms for name in term.names}
    given = {normalize_symbol(each.name) for each in working.problem.givens}
    known = given | {name for name in working.stated if name not in computed}
    for target in working.targets:
        key = convert_to_si(target.value, target.unit) if target.value is not None else None
        for term in working.terms if key else ():
            names = set(map(normalize_symbol, term.formula.names))
            if (
                normalize_symbol(target.name) in map(normalize_symbol, term.names)
                and names & given
                and names <= known
            ):
                value = next(evaluate_term(term, working, target.unit), None)
                if key and value is not None and not is_close(value, key, _CLEAR):
                    message = f"comes to {value:.4g} at the given values, not to {key:.4g} (SI)"
                    yield Finding("formula", term.quote, message, key, value)


def _find_unlike_steps(working: Working, steps: Iterable[SolutionStep]) -> Iterator[Finding]:
    """Find formulas for a step's symbol that do not give the step's value with the values of the problem.

    Missing units, prefixes and conversions are accepted. Formulas with other inputs are skipped, since their
    values are unknown.
    """
    for step in steps if not working.gold else ():
        expected, reference = convert_to_si(step.value, step.unit), read_step(step.expression)
        value = reference.value(working.find_values(reference.names)) if reference else None
        if value is None or expected is None or not is_close(value, expected, _CLEAR):
            continue  # the step is valid only in other units than SI, such as 90 - beta in degrees
        for term in working.terms:
            defines_step = normalize_symbol(step.symbol) in map(normalize_symbol, term.names)
            value = _evaluate_at_known_inputs(term, working) if defines_step else None
            if value is None:
                continue
            values = [value, *(each for each in evaluate_term(term, working, step.unit) if term.is_numeric)]
            if expected and not any(_differs_by_conversion(each / expected, term) for each in values):
                message = f"comes to {value:.4g}, the step to {expected:.4g} (SI): {step.expression}"
                yield Finding("formula", term.quote, message, expected, value)


def _evaluate_at_known_inputs(term: Term, working: Working) -> float | None:
    """Compute a formula's SI value if all its inputs are values of the problem or its solution, else None."""
    formula, known = term.formula, working.known_values
    if formula.names:
        stated, names = working.stated_values, set(map(normalize_symbol, formula.names))
        agree = (is_close(stated[name], known[name], _CLEAR) for name in names & set(stated) & set(known))
        return (
            formula.value(working.find_values(formula.names)) if names <= set(known) and all(agree) else None
        )
    steps = ((step.symbol, step.value, step.unit) for step in working.problem.reference.steps)
    quantities = [Given(name=name, value=value, unit=unit) for name, value, unit in (*working.givens, *steps)]
    tree, inputs = formula.tree, 0
    for number in formula.numbers:
        equal = {
            convert_to_si(float(each.value), each.unit)
            for each in quantities
            if is_given(each, (number.value, ""))
        }
        if number.unit or len(equal) > 1 or (number.is_factor and equal - {number.value}):
            return None
        if equal and (value := equal.pop()) is not None:
            tree, inputs = replace_leaf(tree, number, Numeral(value, number.digits)), inputs + 1
        elif not number.is_factor:
            return None
    return evaluate_tree(tree) if inputs else None


def _differs_by_conversion(ratio: float, term: Term) -> bool:
    """Whether two values differ only by rounding or, in a substitution, by a missing unit conversion."""
    factors = (1.0, *CONVERSIONS) if term.is_numeric else (1.0,)
    return any(is_close(abs(ratio), factor, _CLEAR) for factor in factors)

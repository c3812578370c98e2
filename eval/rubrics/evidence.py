"""Which equations an answer shows: by tool, by the value of a substitution, by the form of a formula."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ansatz.eval.problem import SolutionStep, SymbolicTarget
from ansatz.eval.rubrics.equivalence import likeness
from ansatz.eval.rubrics.own_values import Relation, relation
from ansatz.eval.rubrics.reference_form import is_reference_form
from ansatz.eval.rubrics.values import SAME_VALUE, is_balanced, stated_values, trap_value, values
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.eval.rubrics.written import Term
from ansatz.quantities.terms import spelled

_MOST_TERMS = 60
_OWN_VALUE = 0.01  # relative difference from which a stated result is another than the reference's


@dataclass
class Found:
    """Evidence gathered: reference steps shown, and what speaks for a trap or a variant.

    `shown` counts the steps that have an equation, `exact` all of them: those with a substitution that has
    the reference's own value. `unknown` are formulas for a quantity of the problem that are none of the
    reference's equations nor of the traps.
    """

    shown: dict[int, str] = field(default_factory=dict)
    exact: set[int] = field(default_factory=set)
    evaluated: bool = False  # whether any of them was, with numbers
    named: set[str] = field(default_factory=set)
    variant: str = ""
    trap: str = ""
    trap_named: str = ""
    unknown: list[Term] = field(default_factory=list)


def gather(working: Working) -> Found:
    """The evidence of tools, substitutions and formulas for the steps; names are not looked at."""
    found = Found()
    steps = list(working.problem.reference.steps)
    denied = _denied(working, steps)
    _from_tools(working, steps, found)
    _from_terms(working, steps, denied, found)
    _implied(steps, denied, found)
    places = [i for i, step in enumerate(steps) if step.equation]
    found.shown = {places.index(i): text for i, text in found.shown.items() if i in places}
    return found


def _from_tools(working: Working, steps: list[SolutionStep], found: Found) -> None:
    for call in working.tool_calls:
        id = str(call.arguments.get("id", ""))
        for i, step in enumerate(steps):
            if step.equation == id:
                found.shown[i] = f"{id} was evaluated by a tool"
                found.evaluated = True
        if any(trap.id == id for trap in working.traps):
            found.trap = f"{id} was evaluated by a tool"


def _from_terms(working: Working, steps: list[SolutionStep], denied: frozenset[int], found: Found) -> None:
    keys = [si(step.value, step.unit) for step in steps]
    traps = [(trap.id, value) for trap in working.traps if (value := trap_value(trap, working)) is not None]
    wrong = [(id, value) for id, value in traps if not any(key and close(key, value, 0.02) for key in keys)]
    stated = stated_values(working)
    relations = [relation(step, working) for step in steps]
    wanted = {spelled(step.symbol) for step in working.problem.reference.steps}
    wanted |= {spelled(target.name) for target in working.targets}
    for term in working.terms[:_MOST_TERMS]:
        reached = list(values(term, working, stated))
        known = _by_value(term, reached, steps, denied, working, found)
        defines = any(spelled(name) in wanted for name in term.names)
        for id, value in wrong:
            if not (defines or _is_final(value, working)):
                continue  # a trap may be a factor of the right formula
            if any(close(each, value, SAME_VALUE) for each in reached):
                found.trap = f"{term.formula.text.strip()[:80]} gives the value of {id}"
                known = True
        if term.formula.names:
            known |= _from_form(term, working, steps, denied, found, defines)
        else:
            known |= _by_own_values(term, working, steps, relations, found)
        defined = term.formula.names if term.sides else term.names
        known |= is_balanced(term, working, stated)
        if term.formula.names and not known and any(spelled(name) in wanted for name in defined):
            found.unknown.append(term)


def _is_final(value: float, working: Working) -> bool:
    """Whether a value in SI is one that the answer ends with."""
    finals = (si(final.value, final.unit) for final in working.finals.values())
    return any(final is not None and close(final, value, SAME_VALUE) for final in finals)


def _denied(working: Working, steps: list[SolutionStep]) -> frozenset[int]:
    """Steps for whose result the answer states another value: what else it shows cannot vouch for them."""
    stated = stated_values(working, asserted=True)
    keys = [si(step.value, step.unit) for step in steps]
    own = [stated.get(spelled(step.symbol)) for step in steps]
    pairs = enumerate(zip(own, keys, strict=True))
    return frozenset(i for i, (v, key) in pairs if v is not None and key and not close(v, key, _OWN_VALUE))


def _by_value(
    term: Term,
    reached: list[float],
    steps: list[SolutionStep],
    denied: frozenset[int],
    working: Working,
    found: Found,
) -> bool:
    """A term that comes to the value of a step, at the values of the problem.

    A formula that holds the result of a later step, where the step's own does not, is a relation for that
    step, turned round. A term for something else counts for a step unless the answer denies its value.
    """
    known = False
    names = {spelled(name) for name in term.formula.names}
    givens = {spelled(given.name) for given in working.problem.givens}
    closed = {spelled(each.name) for each in working.problem.targets if isinstance(each, SymbolicTarget)}
    for i, step in enumerate(steps):
        key = si(step.value, step.unit)
        if key is None or not any(close(value, key, SAME_VALUE) for value in reached):
            continue
        named = not term.names or spelled(step.symbol) in map(spelled, term.names)
        named |= bool(names & givens) and any(spelled(name) in closed for name in term.names)
        if i in denied and not named:
            continue
        foreign = names - {spelled(name) for name in re.findall(r"[A-Za-z_]\w*", step.expression)}
        later = [j for j in range(i + 1, len(steps)) if spelled(steps[j].symbol) in foreign]
        place = later[-1] if later else i
        found.shown[place] = f"{term.formula.text.strip()[:80]} gives the value of {step.symbol}"
        known = True
        if not names:
            found.exact.add(i)
            found.evaluated = True
    return known


def _by_own_values(
    term: Term,
    working: Working,
    steps: list[SolutionStep],
    relations: list[Relation | None],
    found: Found,
) -> bool:
    """A substitution that follows the step's equation from values which the answer itself states, be they
    right or wrong: a slip on the way or a misread given is not a wrong formula."""
    known = False
    for i, step in enumerate(steps):
        own = relations[i]
        about = not term.names or any(spelled(name) == spelled(step.symbol) for name in term.names)
        if i in found.shown or own is None or not about or not own.uses(term.formula.literals):
            continue
        if any(own.holds(value) for value in own.readings(term)):
            found.shown[i] = f"{term.formula.text.strip()[:80]} follows the reference from the values stated"
            found.evaluated = known = True
    return known


def _from_form(
    term: Term,
    working: Working,
    steps: list[SolutionStep],
    denied: frozenset[int],
    found: Found,
    defines: bool,
) -> bool:
    """A symbolic formula against the equations, by form; whether it is one of them, or nearly.

    `defines` tells that it stands for a quantity of the problem: only then it may be a trap that was used.
    """
    text = term.formula.text.strip()[:80]
    stated = stated_values(working)
    traps = [trap for trap in working.traps if likeness(term.formula, trap, stated) == "same"]
    known = bool(traps)
    for equation in working.gold:
        alike = likeness(term.formula, equation, stated)
        if alike == "same" and traps:
            return True  # the two differ in their constants alone, which the formula leaves open
        if alike == "same":
            places = [i for i, step in enumerate(steps) if step.equation == equation.id]
            named = [i for i in places if spelled(steps[i].symbol) in map(spelled, term.names)]
            for i in named or [i for i in places if i not in denied]:
                found.shown.setdefault(i, f"{text} is {equation.id}")
            return True
        if alike == "proportional" and term.formula.operations > 1:
            found.variant = f"{text} against {equation.id}"
            known = True
    for i, step in enumerate(steps):
        if (
            step.equation
            and step.equation not in working.library
            and is_reference_form(term.formula, step.expression)
        ):
            found.shown.setdefault(i, f"{text} is the reference's {step.symbol}")
            return True
    for trap in traps:
        if term.formula.operations > 1 and defines:
            found.trap = f"{text} is {trap.id}"
    return known


def _implied(steps: list[SolutionStep], denied: frozenset[int], found: Found) -> None:
    """A substitution that comes out right from its inputs vouches for the steps that made them."""
    for i in sorted(found.exact, reverse=True):
        for j in range(i):
            enters = re.search(rf"\b{re.escape(steps[j].symbol)}\b", steps[i].expression.partition("=")[2])
            if enters and j not in denied:
                found.shown.setdefault(j, f"{steps[j].symbol} entered {steps[i].symbol}")
                found.exact.add(j)

"""G1: was the right equation chosen?

Evidence, strongest first: an equation tool called by id; a substitution or formula whose exact value is the
reference step's (so a slip of arithmetic does not count here); a formula that is the equation but for the
names of its symbols; the equation's name, said to be used. The same evidence is sought for the traps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from ansatz.eval.extract import spelled
from ansatz.eval.problem import SolutionStep
from ansatz.eval.quantities import scale
from ansatz.eval.rubrics.equivalence import letter, likeness
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.working import Term, Working, close, si
from ansatz.knowledge_base.equation import Equation, EvaluationError

_SAME_VALUE = 0.005  # of a substitution evaluated exactly: only rounded inputs and constants differ
_NEAR_ANSWER = 0.10  # a final value this near the key was not reached by a trap
_MOST_TERMS = 60

_USES = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|appl\w+|by|from|with|formula|equation|correlation|relation|law|method|model)\b|[=:]",
    re.I,
)
_LONGEST_MENTION = 320  # characters of a sentence
_JOINT, _ANY_JOINT = re.compile(r"[-\s]+"), r"[-\\s]+"  # hyphens and spaces in a name are one
_REJECTED_BEFORE = re.compile(
    r"\b(?:not|n't|never|nor|neither|no|exclud\w+|instead of|rather than|unlike|avoid\w*|reject\w*|without"
    r"|inappropriate|wrong|discard\w*)\b[^.;,]{0,40}$"
)
_REJECTED_AFTER = re.compile(
    r"^[^.;]{0,30}?\b(?:(?:is|are|does|do|would|can|should) ?(?:not|n't|never)|cannot|excluded|invalid"
    r"|inapplicable|inappropriate|rejected|fails|(?:over|under)predicts?|not (?:used|valid|applicable))\b"
)


@dataclass
class _Found:
    """Evidence gathered: reference steps shown, and what speaks for a trap or a variant."""

    shown: dict[int, str] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    variant: str = ""
    trap: str = ""
    trap_named: str = ""


def check(working: Working) -> Mark:
    steps = [step for step in working.problem.reference.steps if step.equation]
    if not working.gold and not steps:
        return Mark(None, "the problem names no equations")
    found = _Found()
    _from_tools(working, steps, found)
    _from_terms(working, steps, found)
    _from_names(working, found)
    _implied(steps, found)
    return _mark(working, steps, found)


def _mark(working: Working, steps: list[SolutionStep], found: _Found) -> Mark:
    right = _answer_is_near(working)
    if found.trap and not (right and found.shown):
        return Mark(0, f"a trap was used: {found.trap}")
    named = {equation.id for equation in working.gold if equation.id in found.named}
    exact = _answer_is_near(working, _SAME_VALUE) and not found.trap_named
    evidenced = [i in found.shown or (exact and step.equation in named) for i, step in enumerate(steps)]
    said = "; ".join([*dict.fromkeys(found.shown.values()), *(f"named {id}" for id in sorted(named))])
    if steps and all(evidenced):
        return Mark(2, said)
    if found.shown or (named and not (found.trap_named and not right)):
        missing = ", ".join(step.equation for step, shown in zip(steps, evidenced, strict=True) if not shown)
        return Mark(1, f"{said}; not shown: {missing}" if missing else said)
    if found.trap_named and not right:
        return Mark(0, f"a trap is said to be used: {found.trap_named}")
    if found.variant:
        return Mark(1, f"right form, other constant: {found.variant}")
    if any(term.names or term.formula.names for term in working.terms):
        return Mark(0, "the formulas shown are none of the reference equations")
    return Mark(None, "no formula, substitution or equation name is shown")


def _answer_is_near(working: Working, relative: float = _NEAR_ANSWER) -> bool:
    """Whether every final value stated lies near its key, and at least one is stated."""
    checked = []
    for target in working.targets:
        stated = working.finals.get(target.name)
        if stated and target.value is not None:
            value = si(stated.value, stated.unit or target.unit)
            key = si(target.value, target.unit)
            checked.append(value is not None and key is not None and close(value, key, relative))
    return bool(checked) and all(checked)


def _from_tools(working: Working, steps: list[SolutionStep], found: _Found) -> None:
    for call in working.tool_calls:
        id = str(call.arguments.get("id", ""))
        for i, step in enumerate(steps):
            if step.equation == id:
                found.shown[i] = f"{id} was evaluated by a tool"
        if any(trap.id == id for trap in working.traps):
            found.trap = f"{id} was evaluated by a tool"


def _from_terms(working: Working, steps: list[SolutionStep], found: _Found) -> None:
    reference = [(i, si(step.value, step.unit)) for i, step in enumerate(steps)]
    traps = [(trap.id, value) for trap in working.traps if (value := _trap_value(trap, working)) is not None]
    wrong = [(id, value) for id, value in traps if not any(v and close(v, value, 0.02) for _, v in reference)]
    stated = _stated_values(working)
    for term in working.terms[:_MOST_TERMS]:
        values = list(_values(term, working, stated))
        for i, key in reference:
            if key is not None and any(close(value, key, _SAME_VALUE) for value in values):
                found.shown[i] = f"{term.formula.text.strip()[:80]} gives the value of {steps[i].symbol}"
        for id, value in wrong:
            if any(close(each, value, _SAME_VALUE) for each in values):
                found.trap = f"{term.formula.text.strip()[:80]} gives the value of {id}"
        if term.formula.names:
            _from_form(term, working, steps, found)


def _from_form(term: Term, working: Working, steps: list[SolutionStep], found: _Found) -> None:
    """A symbolic formula against the equations, by form."""
    text = term.formula.text.strip()[:80]
    for equation in working.gold:
        alike = likeness(term.formula, equation)
        if alike == "same":
            for i, step in enumerate(steps):
                if step.equation == equation.id:
                    found.shown.setdefault(i, f"{text} is {equation.id}")
            return
        if alike == "proportional" and term.formula.operations > 1:
            found.variant = f"{text} against {equation.id}"
    for trap in working.traps:
        if likeness(term.formula, trap) == "same" and term.formula.operations > 1:
            found.trap = f"{text} is {trap.id}"


def _values(term: Term, working: Working, stated: dict[str, float]) -> Iterator[float]:
    """What a term comes to in SI: exactly, with its own units, those of the result, or none."""
    if term.formula.names:
        value = term.formula.value(_bindings(term.formula.names, working, stated))
        if value is not None:
            yield value
        return
    claimed = scale(term.claimed[1]) if term.claimed else None
    units = {step.unit for step in working.problem.reference.steps if step.symbol in term.names}
    for value, _ in term.formula.readings():
        yield value
        for known in (claimed, *map(scale, units)):
            if known and known.factor != 1.0:
                yield value * known.factor + known.offset


def _stated_values(working: Working) -> dict[str, float]:
    """SI values that the answer itself gives its symbols."""
    found = {}
    for statement in working.statements:
        value = si(statement.value, statement.unit)
        if value is not None:
            found[spelled(statement.symbol)] = value
    return found


def _bindings(names: tuple[str, ...], working: Working, stated: dict[str, float]) -> dict[str, float]:
    """Values for the names of a formula: the problem's, the equations' constants, or the answer's own."""
    constants = {spelled(k): v for equation in working.gold for k, v in equation.constant_values.items()}
    bound = {}
    for name in names:
        key = spelled(name)
        for table in (working.known, stated, constants):
            alike = [value for other, value in table.items() if letter(other) == letter(name)]
            if key in table or (len(alike) == 1 and table is not constants):
                bound[name] = table.get(key, alike[0] if alike else 0.0)
                break
    return bound


def _trap_value(trap: Equation, working: Working) -> float | None:
    """The trap evaluated at the problem's values, in SI; None where they do not determine it."""
    numbers = {}
    for name in trap.inputs:
        unit = scale(trap.symbols[name].unit)
        exact = working.known.get(spelled(name))
        alike = {value for other, value in working.known.items() if letter(other) == letter(name)}
        value = exact if exact is not None else alike.pop() if len(alike) == 1 else None
        if value is None or unit is None:
            return None
        numbers[name] = (value - unit.offset) / unit.factor
    try:
        return si(trap.value(**numbers), trap.symbols[trap.output].unit)
    except EvaluationError:
        return None


def _from_names(working: Working, found: _Found) -> None:
    """Names in sentences that speak of using something; a list of keywords uses nothing."""
    using = [
        each.lower() for each in working.sentences if len(each) <= _LONGEST_MENTION and _USES.search(each)
    ]
    text = "\n".join(using)
    for equation in working.gold:
        if _said_used(equation, text):
            found.named.add(equation.id)
    for trap in working.traps:
        shared = {equation.name for equation in working.gold}
        if trap.name not in shared and _said_used(trap, text):
            found.trap_named = trap.id


def _said_used(equation: Equation, text: str) -> bool:
    """Whether a name of the equation occurs without being rejected."""
    for pattern in _names(equation.name, equation.aliases):
        for mention in pattern.finditer(text):
            before, after = (
                text[max(0, mention.start() - 80) : mention.start()],
                text[mention.end() : mention.end() + 80],
            )
            if not _REJECTED_BEFORE.search(before) and not _REJECTED_AFTER.match(after):
                return True
    return False


@lru_cache(maxsize=2048)
def _names(name: str, aliases: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    spellings = {re.sub(r"\s*\(.*?\)", "", each).strip().lower() for each in (name, *aliases)}
    usable = [each for each in sorted(spellings) if len(each) > 5 and re.fullmatch(r"[\w\s.,'-]+", each)]
    return tuple(re.compile(rf"\b{_JOINT.sub(_ANY_JOINT, each)}\b") for each in usable)


def _implied(steps: list[SolutionStep], found: _Found) -> None:
    """A step that comes out right from its inputs vouches for the steps that made them."""
    for i in sorted(found.shown, reverse=True):
        for j in range(i):
            used = re.search(rf"\b{re.escape(steps[j].symbol)}\b", steps[i].expression.partition("=")[2])
            if used and "gives the value" in found.shown[i]:
                found.shown.setdefault(j, f"{steps[j].symbol} entered {steps[i].symbol}")

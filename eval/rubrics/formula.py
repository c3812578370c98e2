"""G1: was the right equation chosen?

Evidence, strongest first: an equation tool called by id; a substitution or formula whose exact value is the
reference step's (so a slip of arithmetic does not count here); a formula that is the equation but for the
names of its symbols; the equation's name, said to be used. The same evidence is sought for the traps.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ansatz.eval.problem import SolutionStep
from ansatz.eval.rubrics import result_cues
from ansatz.eval.rubrics.equivalence import letter
from ansatz.eval.rubrics.evidence import Found, gather
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.values import SAME_VALUE, stated_values, values
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.knowledge_base.equation import Equation
from ansatz.quantities.terms import spelled

_NO_CHANCE = 0.001  # relative: results this near the key are not reached by chance
_FEWEST_VALUED = 3  # expressions with their values, which no formula sheet has
_NEAR_ANSWER = 0.10  # a final value this near the key was not reached by a trap

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


def check(working: Working) -> Mark:
    """2: every equation of the reference is shown. 1: some are, or the right form with another constant.
    0: a trap, or none of them. None: no formula, substitution or name is shown."""
    steps = [step for step in working.problem.reference.steps if step.equation]
    if not working.gold and not steps:
        return Mark(None, "the problem names no equations")
    found = gather(working)
    _from_names(working, found)
    return _mark(working, steps, found)


def _mark(working: Working, steps: list[SolutionStep], found: Found) -> Mark:
    right = answer_is_near(working)
    if found.trap and not (right and found.shown):
        return Mark(0, f"a trap was used: {found.trap}", error=True)
    named = {equation.id for equation in working.gold if equation.id in found.named}
    exact = answer_is_near(working, SAME_VALUE) and not found.trap_named
    evidenced = [i in found.shown or (exact and step.equation in named) for i, step in enumerate(steps)]
    if working.is_right() and any(evidenced):
        # results that are right in every place vouch for the expressions that led to them
        asked = {spelled(target.name) for target in working.targets}
        evidenced = [
            shown or working.computes(step.symbol) or working.tells or spelled(step.symbol) not in asked
            for step, shown in zip(steps, evidenced, strict=True)
        ]
    if not any(evidenced) and steps and working.arrives():
        return Mark(2, "the substitutions shown come to the right results")
    if not any(evidenced) and steps and _is_told_apart(working, found):
        return Mark(2, "the results are right, and the formula shown for them holds the givens")
    said = "; ".join([*dict.fromkeys(found.shown.values()), *(f"named {id}" for id in sorted(named))])
    if steps and all(evidenced):
        listed = _is_a_list(working, steps, found)
        return Mark(1, f"listed among many formulas, none evaluated: {said}") if listed else Mark(2, said)
    if found.shown or (named and not (found.trap_named and not right)):
        missing = ", ".join(step.equation for step, shown in zip(steps, evidenced, strict=True) if not shown)
        other = any(
            working.computes(step.symbol) for step, shown in zip(steps, evidenced, strict=True) if not shown
        )
        wrong = bool(found.variant or ((found.unknown or other) and not exact)) or None
        return Mark(1, f"{said}; not shown: {missing}" if missing else said, error=wrong)
    return _mark_without_steps(working, found, right)


def _is_told_apart(working: Working, found: Found) -> bool:
    """Whether results are right in every digit, and several substitutions, or formulas that hold the givens
    and could not be compared, led there."""
    if not working.is_right(_NO_CHANCE) or found.trap or found.trap_named or found.variant:
        return False
    held = {
        given.name
        for given in working.problem.givens
        for term in working.terms
        if not isinstance(given.value, str)
        and (
            letter(given.name) in map(letter, term.formula.names)
            or any(close(abs(each), abs(float(given.value)), SAME_VALUE) for each in term.formula.literals)
        )
    }
    givens = sum(not isinstance(given.value, str) for given in working.problem.givens)
    substituted = sum(bool(term.claimed) and not term.formula.names for term in working.terms)
    return working.tells and (substituted > 1 or (bool(held) and 2 * len(held) >= givens))


def _mark_without_steps(working: Working, found: Found, right: bool) -> Mark:
    """The mark where none of the reference equations is shown."""
    if found.trap_named and not right:
        return Mark(0, f"a trap is said to be used: {found.trap_named}", error=True)
    if found.variant:
        exact = answer_is_near(working, SAME_VALUE)
        return Mark(1, f"right form, other constant: {found.variant}", error=not exact or None)
    if any(term.names or term.formula.names for term in working.terms):
        return Mark(
            0,
            "the formulas shown are none of the reference equations",
            error=not answer_is_near(working, SAME_VALUE) or None,
        )
    if working.finals and not right:
        return Mark(0, "no formula is shown, and the result is not that of the reference equations")
    return Mark(None, "no formula, substitution or equation name is shown")


def _is_a_list(working: Working, steps: list[SolutionStep], found: Found) -> bool:
    """Whether the right formulas only stand in a list, as on a sheet, and none is evaluated."""
    substituted = sum(bool(term.claimed) and not term.formula.names for term in working.terms)
    valued = sum(bool(term.claimed) for term in working.terms) >= _FEWEST_VALUED
    solved = substituted > 1 or valued or _evaluates(working) or result_cues.SOLVED.search(working.text)
    if working.arrives() or (working.is_right() and solved):
        return False
    formulas = sum(bool(term.formula.names) for term in working.terms)
    programmed = any("code" in call.arguments for call in working.tool_calls)
    return bool(found.shown) and not (found.evaluated or programmed) and formulas > 2 * len(steps) + 2


def _evaluates(working: Working) -> bool:
    """Whether a formula in symbols is followed by the value that it has at the values of the problem."""
    stated = stated_values(working, asserted=True)
    for term in working.terms:
        claimed = si(term.claimed[0], term.claimed[1]) if term.claimed and term.formula.names else None
        if claimed and any(close(claimed, value, SAME_VALUE) for value in values(term, working, stated)):
            return True
    return False


def answer_is_near(working: Working, relative: float = _NEAR_ANSWER) -> bool:
    """Whether every final value stated lies near its key, and at least one is stated."""
    checked = []
    for target in working.targets:
        stated = working.finals.get(target.name)
        if stated and target.value is not None:
            value = si(stated.value, stated.unit or target.unit)
            key = si(target.value, target.unit)
            checked.append(value is not None and key is not None and close(value, key, relative))
    return bool(checked) and all(checked)


def _from_names(working: Working, found: Found) -> None:
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

"""A question about a device or a cycle: recognised, read, worked through and written down."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.execution import Call
from ansatz.agents.slide_rule.procedures.asked import quantity_asked
from ansatz.agents.slide_rule.procedures.assignment import Stated, assign
from ansatz.agents.slide_rule.procedures.evaluation import Bench
from ansatz.agents.slide_rule.procedures.habits import REPAIRS, habits_in, treats_liquid_as_incompressible
from ansatz.agents.slide_rule.procedures.kinds import kind_of_dimension, kind_of_quantity
from ansatz.agents.slide_rule.procedures.media import Medium, families, medium
from ansatz.agents.slide_rule.procedures.mentions import Mention, mentions
from ansatz.agents.slide_rule.procedures.notation import plain
from ansatz.agents.slide_rule.procedures.numbering import numbering
from ansatz.agents.slide_rule.procedures.planning import Work
from ansatz.agents.slide_rule.procedures.procedure import Procedure, procedures
from ansatz.agents.slide_rule.procedures.report import Account, account
from ansatz.agents.slide_rule.procedures.worksheet import worksheet
from ansatz.agents.slide_rule.prose import Solution
from ansatz.agents.slide_rule.reading import Target
from ansatz.agents.slide_rule.units import NONE, parse_unit

_BLANK = re.compile(
    r"^[ \t*•-]*(?:\(?[a-z]\)[ \t]*)?\[?(?P<symbol>[^\s=:\[\]][^=:\n\[\]]{0,30}?)\]?[ \t*]*[=:][ \t]*"
    r"(?:_{2,}|\[value\]|\[\s*\]|<value>|\?+|\.{3,})[ \t]*\[?(?P<unit>[^\s\]\n(]+(?:\([^()\n]*\)\S*)?)?.*$",
    re.MULTILINE | re.IGNORECASE,
)
_LEAST_ASKED = 3  # fewer is a matter of one formula or of one state
_LEAST_SHARE = 0.6
_OF_ONE_FLUID = ("rankine", "reheat", "brayton", "regenerative", "refrigeration")
_MISMATCH = 0.02  # of the heat supplied, from which a balance does not close


@dataclass(frozen=True)
class Case:
    """A question as one procedure reads it. `names` are the procedure's quantities for the targets."""

    procedure: Procedure
    given: Mapping[str, Stated]
    media: Mapping[str, Medium]
    names: tuple[str, ...]
    targets: tuple[Target, ...]
    custom: Mapping[str, str]

    def work(self, habits: frozenset[str]) -> Work:
        return worksheet(self.procedure, self.media, habits).plan(self.given, filter(None, self.names))


def solve_process(talk: Conversation) -> Solution | tuple[Call, ...] | None:
    """The solution, the calls it waits for, or None where the question is not about a device or cycle."""
    case = recognised(talk.asked, "fluid_state" in talk.tools)
    if case is None:
        return None
    habits = habits_in(f"{talk.instructions}\n\n{talk.notes}")
    if treats_liquid_as_incompressible(talk.asked):
        habits |= {"incompressible"}
    tried = _tried(case, talk, habits)
    if isinstance(tried, tuple):
        return tried
    if "closing" in habits and tried.imbalance > _MISMATCH and not habits >= REPAIRS:
        repaired = _tried(case, talk, habits | REPAIRS)
        if isinstance(repaired, tuple):
            return repaired
        if repaired.imbalance < tried.imbalance:
            tried = repaired.after(tried)
    return account(tried, "closing" in habits)


def _tried(case: Case, talk: Conversation, habits: frozenset[str]) -> Account | tuple[Call, ...]:
    sheet = worksheet(case.procedure, case.media, habits)
    asked = [name for name in case.names if name]
    checks = [name for name in ("error",) if "closing" in habits and name in sheet.lines]
    work = sheet.plan(case.given, [*asked, *checks])
    bench = Bench(talk, {name: each.value for name, each in case.given.items()})
    calls = bench.work(work.operations)
    if calls:
        return calls
    return Account(case.procedure, case.given, case.targets, case.names, work, bench, case.custom)


@lru_cache(maxsize=512)
def recognised(question: str, tabulated_air: bool) -> Case | None:
    """The procedure that explains most of what is asked, if it explains enough of it."""
    blanks = list(_BLANK.finditer(question))
    if len(blanks) < _LEAST_ASKED:
        return None
    targets = tuple(map(_target, blanks))
    text = plain(f"{question[: blanks[0].start()]}\n\n{question[blanks[-1].end() :]}")
    candidates = [procedure for procedure in procedures() if procedure.words.search(text)]
    if not candidates:
        return None
    stated = mentions(text)
    best, most = None, max(_LEAST_ASKED, math.ceil(_LEAST_SHARE * len(targets))) - 1
    for procedure in candidates:
        case = _case(procedure, text, stated, targets, tabulated_air)
        if (reach := _reached(case)) > most:
            best, most = case, reach
        if most == len(targets):
            break
    return best


def _target(blank: re.Match[str]) -> Target:
    unit_text = (blank["unit"] or "").strip().rstrip(".,;")
    unit = parse_unit(unit_text)
    return Target(blank["symbol"].strip(), unit, unit_text if unit else "", frozenset())


def _case(
    procedure: Procedure,
    text: str,
    stated: Sequence[Mention],
    targets: tuple[Target, ...],
    tabulated_air: bool,
) -> Case:
    custom = numbering(procedure, text, stated)
    named = families(text) or [procedure.fluid]
    media, streams = _media(procedure, text, stated, named, tabulated_air)
    given = assign(procedure, stated, custom, streams)
    lines = worksheet(procedure, media, frozenset(("isentropes", "effectiveness", "streams")))
    known = {*lines.lines, *given, *(f"{p}_{label}" for p in "TPhsvux" for label in procedure.labels)}
    names = tuple(_fitting(target, quantity_asked(target, procedure, custom, known)) for target in targets)
    return Case(procedure, given, media, names, targets, custom)


def _fitting(target: Target, name: str) -> str:
    """The name, where the target's unit is one of its kind."""
    if not name or target.unit is None:
        return name
    if target.unit.dimension == NONE and not target.unit_text:
        return name
    return name if kind_of_dimension(target.unit) == kind_of_quantity(name) else ""


def _media(
    procedure: Procedure, text: str, stated: Sequence[Mention], named: list[str], tabulated_air: bool
) -> tuple[dict[str, Medium], dict[str, str]]:
    """The medium of each stream, and for a fluid that flows in one stream only, which stream that is."""

    def made(family: str) -> Medium:
        return medium(family, text, stated, tabulated_air)

    if procedure.name == "combined":
        return {"gas": made("air"), "steam": made("water")}, {}
    if set(procedure.streams) == {"hot", "cold"}:
        hot, cold = _hot_and_cold(text, stated, named)
        return {"hot": made(hot), "cold": made(cold)}, {hot: "hot", cold: "cold"} if hot != cold else {}
    if procedure.name in _OF_ONE_FLUID:
        return {"main": made(procedure.fluid)}, {}
    return {"main": made(named[0])}, {}


def _hot_and_cold(text: str, stated: Sequence[Mention], named: list[str]) -> tuple[str, str]:
    """Which fluid gives heat off: the one called hot, else the one with the highest temperature."""
    if len(named) == 1:
        return named[0], named[0]
    one, other = named[:2]
    heats = {
        family: max(
            (m.value for m in stated if m.kind == "temperature" and m.place.get("fluid") == family),
            default=0.0,
        )
        for family in (one, other)
    }
    for mention in stated:
        if mention.place.get("stream") in ("hot", "cold") and mention.place.get("fluid") in heats:
            heats[mention.place["fluid"]] += 1e4 if mention.place["stream"] == "hot" else -1e4
    return (one, other) if heats[one] >= heats[other] else (other, one)


def _reached(case: Case) -> int:
    """How many of the targets the procedure leads to."""
    known = case.work(frozenset()).known
    return sum(bool(name) and name in known for name in case.names)

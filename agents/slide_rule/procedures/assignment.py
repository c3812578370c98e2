"""Which stated quantity is which of a procedure's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from ansatz.agents.slide_rule.procedures.kinds import working_unit
from ansatz.agents.slide_rule.procedures.mentions import Mention
from ansatz.agents.slide_rule.procedures.notation import parts
from ansatz.agents.slide_rule.procedures.numbering import in_order
from ansatz.agents.slide_rule.procedures.places import best_agreement
from ansatz.agents.slide_rule.procedures.procedure import Procedure, Slot

_UNITS = {
    "temperature": "temperature", "pressure": "pressure", "enthalpy": "energy", "heat": "energy",
    "work": "energy", "power": "power", "heat rate": "power", "flow": "flow", "speed": "speed",
    "cp": "entropy", "R": "entropy",
}  # fmt: skip
_STATES_OF_A_DEVICE = 2
_ORDERED = ("pressure", "temperature", "flow")


@dataclass(frozen=True)
class Stated:
    """A procedure's quantity in its working unit, with the mention it comes from."""

    value: float
    mention: Mention


def assign(
    procedure: Procedure, mentions: Sequence[Mention], custom: Mapping[str, str], streams: Mapping[str, str]
) -> dict[str, Stated]:
    """Symbols and numbered states first, then places, then what only its size speaks for.

    `streams` says for a fluid which of two streams it is.
    """
    open_ones = [_in_stream(mention, streams) for mention in mentions]
    found: dict[str, Stated] = {}
    for mention in list(open_ones):
        name = _named(procedure, mention, custom)
        if name and name not in found:
            found[name] = stated(mention)
            open_ones.remove(mention)
    for mention in [each for each in open_ones if each.kind in ("cp", "R", "k")]:
        found.setdefault(mention.kind, stated(mention))
        open_ones.remove(mention)
    _by_place(procedure.slots, open_ones, found)
    for kind in _ORDERED:
        _by_size(
            procedure.slots, [each for each in open_ones if each.kind == kind and not each.label], found, kind
        )
    _shared(procedure.slots, mentions, found)
    return found


def stated(mention: Mention) -> Stated:
    value = mention.value
    if mention.kind in ("superheat", "subcooling"):
        return Stated(value - mention.unit.offset, mention)
    kind = _UNITS.get(mention.kind)
    return Stated(working_unit(kind).from_si(value) if kind else value, mention)


def _in_stream(mention: Mention, streams: Mapping[str, str]) -> Mention:
    fluid = mention.place.get("fluid", "")
    if not streams or fluid not in streams or "special" in mention.place:
        return mention
    where = {group: tag for group, tag in mention.place.items() if group != "fluid"}
    return replace(mention, place={**where, "stream": streams[fluid]})


def _named(procedure: Procedure, mention: Mention, custom: Mapping[str, str]) -> str:
    """The quantity a mention's own symbol or numbered state makes it; empty where it has neither."""
    slots = {slot.name: slot for slot in procedure.slots}
    if mention.label:
        label = custom.get(mention.label, mention.label)
        same = (slot.name for slot in procedure.slots if slot.label == label and slot.kind == mention.kind)
        return next(same, "")
    for symbol in mention.symbols:
        base, rest = parts(symbol)
        rest = tuple(custom.get(part, part) for part in rest if part not in ("dot",))
        name = "_".join((base.removesuffix("dot"), *rest))
        slot = slots.get(name)
        if slot and slot.kind == mention.kind and slot.places == ({},):
            return name
        if slot and slot.kind == "flow" == mention.kind and rest:
            return name
    return ""


def _by_place(slots: Sequence[Slot], open_ones: list[Mention], found: dict[str, Stated]) -> None:
    scored = [
        (best_agreement(mention.place, slot.places), -number, -place, slot, mention)
        for number, mention in enumerate(open_ones)
        for place, slot in enumerate(slots)
        if slot.kind == mention.kind and not mention.label
    ]
    for score, _, _, slot, mention in sorted(scored, key=lambda entry: entry[:3], reverse=True):
        if score > 0 and slot.name not in found and any(mention is each for each in open_ones):
            found[slot.name] = stated(mention)
            open_ones[:] = [each for each in open_ones if each is not mention]
    for mention in list(open_ones):
        alike = [slot for slot in slots if slot.kind == mention.kind and not slot.label]
        if mention.kind in ("pressure", "temperature") or len(alike) != 1 or alike[0].name in found:
            continue
        if best_agreement(mention.place, alike[0].places) > -3:
            found[alike[0].name] = stated(mention)


def _by_size(slots: Sequence[Slot], left: Sequence[Mention], found: dict[str, Stated], kind: str) -> None:
    """What stands for no place is told by its size: the boiler's pressure is above the condenser's."""
    ranked = {slot.name: slot.rank for slot in slots if slot.kind == kind and slot.rank}
    free = [name for name, rank in ranked.items() if name not in found and rank == int(rank)]
    left = [mention for mention in left if "special" not in mention.place][: len(free)]
    if not left or len(free) > 5:
        return
    settled = [(found[name].value, rank) for name, rank in ranked.items() if name in found]

    # Where nothing else tells: of a cycle one states the highest temperature and the lowest pressure.
    usual = (0.01 if kind == "temperature" else -0.01) if len(ranked) > _STATES_OF_A_DEVICE else 0.0

    def merit(names: Iterable[str]) -> float:
        new = [(stated(mention).value, ranked[name]) for name, mention in zip(names, left, strict=True)]
        everything = [*settled, *new]
        order = sum(in_order(a, b) for n, a in enumerate(everything) for b in everything[:n])
        ranks = [rank for _, rank in new]
        spread = max(ranks) - min(ranks) if len(ranks) > 1 else 0.0
        fits = sum(
            best_agreement(mention.place, slot.places)
            for name, mention in zip(names, left, strict=True)
            for slot in slots
            if slot.name == name and mention.place
        )
        wished = {"highest": 0.2, "lowest": -0.2}
        extremes = sum(
            wished.get(mention.place.get("extreme", ""), 0.0) * rank
            for mention, rank in zip(left, ranks, strict=True)
        )
        return order + 0.1 * spread + 0.3 * fits + extremes + usual * sum(ranks)

    best = max(permutations(free, len(left)), key=merit)
    found.update({name: stated(mention) for name, mention in zip(best, left, strict=True)})


def _shared(slots: Sequence[Slot], mentions: Sequence[Mention], found: dict[str, Stated]) -> None:
    """One efficiency stated for several machines; surroundings at which a machine takes in its air."""
    for slot in slots:
        if slot.kind != "efficiency" or slot.name in found:
            continue
        component = slot.places[0].get("component", "")
        for mention in mentions:
            if mention.kind == "efficiency" and _holds_for(mention, component):
                found.setdefault(slot.name, stated(mention))
    for letter, kind in (("T", "temperature"), ("P", "pressure")):
        taken_in = (each for each in mentions if each.kind == kind and each.place.get("port") == "inlet")
        ambient = next((each for each in taken_in if each.place.get("special") == "dead"), None)
        if ambient and f"{letter}_1" not in found:
            found[f"{letter}_1"] = stated(ambient)


def _holds_for(mention: Mention, component: str) -> bool:
    if "component" not in mention.place or not component:
        return True
    return component in mention.companions and len(set(mention.companions)) > 1

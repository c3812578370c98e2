"""Quantities of a process text, each with its kind and the place the text attaches it to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ansatz.agents.slide_rule.procedures.kinds import kind_of, label_of, places_of_symbol
from ansatz.agents.slide_rule.procedures.places import Place, named_in, place, place_in
from ansatz.agents.slide_rule.procedures.scanning import (
    Quantity,
    holds_quantity,
    quantities_of,
    with_all_units,
)
from ansatz.agents.slide_rule.units import NONE, Unit

_SENTENCE = re.compile(r"(?<=[.!?])(?<!i\.e\.)(?<!e\.g\.)\s+(?=[A-Za-z(*-])")
_AFTER = re.compile(
    r"\s*(?:\((?P<remark>[^()]*)\)"
    r"|(?P<phrase>(?:absolute )?(?:in|at|inside|within|for|from|of|to|on|near|entering|leaving)"
    r" (?:its |the |an? |both |each )?(?!\d)[^,.;\n\d]*?)"
    r"(?=,|\.|;|\n|$| and | while | with | when | whose | which | that | is | are | has |\s*\d))"
)
_VERB = re.compile(
    r"\s*(?:is |are )?(?:then |to be |first )?(?P<verb>enters?|expands?|flows?|undergoes|compressed|pumped"
    r"|heated|cooled|mixed|drawn|throttled|condensed|supplied|fed|admitted|leaves?|exits?)\b(?P<rest>[^,.;\n\d]*?)"
    r"(?=,|\.|;|\n|$| and | to | from | while | with | whose | at |\s*\d)"
)
_LEAVING = re.compile(r"leave|exit")
_OF_SOMETHING = re.compile(r"\s*of [^,.;\d]*\bat\s*$")
_STATE = re.compile(r"\b(?:state|point|station)\s*(\d[a-z]?)\b|\((\d[a-z]?)\)", re.IGNORECASE)
# Where the scales of enthalpy and entropy have their zero, which is no state of the process.
_ASIDE = re.compile(r"\([^()]*\b(?:IIR|ASHRAE|NBP|reference state)\b[^()]*\)", re.IGNORECASE)
_OF_A_STATE = ("pressure", "temperature", "quality", "enthalpy", "speed")
_DATUM = re.compile(
    r"\b(?:refer\w*|IIR|ASHRAE|NBP)\b.*(?:\b[hsu]\w*\s*=|\bzero\b|-40|saturated liquid)"
    r"|\b(?:h|s|u|enthalp\w+|entrop\w+)\b[^.;]{0,40}(?:=\s*0(?![.\d])|\bzero\b)",
    re.IGNORECASE,
)
_IDEAL = re.compile(
    r"(?P<before>\b(?:pump|turbine|compressor|nozzle)s?)\b(?: \w+){0,3}?"
    r" (?:isentropic(?:ally)?|reversibl[ey]|ideal(?:ly)?)\b"
    r"(?! (?:efficienc|cycle|rankine|brayton|re))"
    r"|\b(?:isentropic|reversible|ideal) (?P<after>pump|turbine|compressor|nozzle)s?\b(?! efficienc)",
    re.IGNORECASE,
)
_CONNECTORS = re.compile(r"^(?:[\s,:*-]|and|at|or|an?|the|of|with|is|are|pressure|temperature|both)*$", re.I)


@dataclass(frozen=True)
class Mention:
    """A quantity in SI with its kind (see kinds.py); `label` is the state it is numbered for, if any.

    `companions` are the components that its sentence names, for a value that holds for several of them.
    """

    kind: str
    value: float
    unit: Unit
    text: str
    place: Place
    label: str = ""
    symbols: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()


def mentions(text: str) -> tuple[Mention, ...]:
    """Every quantity of a text in plain notation, and every "saturated liquid" or "vapour" as a quality."""
    found: list[Mention] = []
    heading: Place = {}
    for line in text.split("\n"):
        if line.rstrip(" *").endswith(":") and not holds_quantity(line):
            heading = place_in(line)
            continue
        if not line.strip():
            heading = {}
        for sentence in _SENTENCE.split(_ASIDE.sub("", line)):
            if not _DATUM.search(sentence):
                found += _respectively(sentence, _of_sentence(with_all_units(sentence), heading))
                found += _ideal_machines(sentence)
    return tuple(found)


@dataclass(frozen=True)
class _Words:
    """The text around a quantity: `before` it, since the one before, and right `after` it."""

    before: str
    after: str
    verb: str = ""

    @property
    def place_after(self) -> Place:
        """Where the words after a quantity put it: "... enters the turbine" is said of an inlet."""
        where = place_in(self.after)
        if self.after.startswith("to "):
            where |= {"port": "inlet"}
        if self.verb:
            where |= {"port": "exit" if _LEAVING.match(self.verb) else "inlet"}
        return where

    @property
    def states(self) -> list[str]:
        return [one or other for one, other in _STATE.findall(f"{self.before} {self.after}")]


def _of_sentence(sentence: str, heading: Place) -> list[Mention]:
    quantities = list(quantities_of(sentence))
    words = list(_surroundings(sentence, quantities))
    kinds: list[str] = []
    for quantity, around in zip(quantities, words, strict=True):
        rest = sentence[quantity.stop : quantity.stop + 40]
        kind = (
            "quality" if quantity.saturated else kind_of(quantity.symbols, quantity.unit, around.before, rest)
        )
        again = kind == "other" and kinds and kinds[-1] == "efficiency" and quantity.value <= 1
        kinds.append("efficiency" if again else kind)
    later = _said_later(sentence, quantities, words, kinds)
    components = named_in(sentence, "component")
    found, here, label = [], dict(heading), ""
    for number, (quantity, around, kind) in enumerate(zip(quantities, words, kinds, strict=True)):
        here, label = _attached(around, later[number], here, label, heading)
        named = place(" ".join(map(places_of_symbol, quantity.symbols)))
        here = here | named
        numbered = next((name for name in map(label_of, quantity.symbols) if name), "" if named else label)
        found.append(
            Mention(
                kind,
                quantity.value,
                quantity.unit,
                quantity.text,
                _without_surroundings(here, kind),
                numbered if kind in _OF_A_STATE else "",
                quantity.symbols,
                components,
            )
        )
    return found


def _surroundings(sentence: str, quantities: Sequence[Quantity]) -> Iterator[_Words]:
    end = 0
    for number, quantity in enumerate(quantities):
        before = sentence[end : quantity.start]
        after, verb = _AFTER.match(sentence, quantity.stop), _VERB.match(sentence, quantity.stop)
        following = (after["remark"] or after["phrase"] or "") if after else ""
        if quantity.saturated and not place_in(before) and not verb:
            following = following or re.split(r"[,;]| and |\d", sentence[quantity.stop :])[0]
        end = quantity.stop
        if verb and "port" not in place_in(before):
            yield _Words(before, verb["rest"], verb["verb"])
            continue
        if after:
            last = number + 1 == len(quantities)
            end = after.end() if last else min(after.end(), quantities[number + 1].start)
        yield _Words(before, following)


def _said_later(
    sentence: str, quantities: Sequence[Quantity], words: Sequence[_Words], kinds: Sequence[str]
) -> list[tuple[Place, list[str]]]:
    """What is said after each quantity or after those listed with it: "8 MPa and 500 °C at the inlet"."""
    later: list[tuple[Place, list[str]]] = []
    for number in reversed(range(len(quantities))):
        where, states = words[number].place_after, words[number].states
        if later and kinds[number] != kinds[number + 1]:
            gap = sentence[quantities[number].stop : quantities[number + 1].start]
            if _CONNECTORS.match(gap) or _OF_SOMETHING.match(gap):
                where, states = later[-1][0] | where, states or later[-1][1]
        later.append((where, states))
    return later[::-1]


def _without_surroundings(where: Place, kind: str) -> Place:
    """Only temperatures and pressures are those of surroundings; heat is merely lost to them."""
    if kind in ("temperature", "pressure") or where.get("special") == "space":
        return where
    return {group: tag for group, tag in where.items() if group != "special"}


def _ideal_machines(sentence: str) -> Iterator[Mention]:
    """A machine called isentropic, reversible or ideal, as an efficiency of one."""
    for found in _IDEAL.finditer(sentence):
        component = place_in(found["before"] or found["after"])
        yield Mention("efficiency", 1.0, Unit(1.0, NONE), found.group().strip(), component)


def _attached(
    around: _Words, later: tuple[Place, list[str]], earlier: Place, label: str, heading: Place
) -> tuple[Place, str]:
    """The place of a quantity: named beside it, or else that of the quantity before it."""
    own = later[0] | place_in(around.before) | around.place_after
    if later[1]:
        return (heading | own if own else earlier), later[1][-1]
    listed = bool(_CONNECTORS.match(around.before))
    if not listed:
        earlier = {group: tag for group, tag in earlier.items() if group != "special"}
    if not own:
        return earlier, label
    inherited = heading | {group: earlier[group] for group in ("fluid", "stream") if group in earlier}
    if not own.keys() & {"component", "special", "extreme"}:
        inherited |= {group: tag for group, tag in earlier.items() if group not in ("port", "special")}
    if "port" not in own and not own.keys() & {"component", "special", "stream", "fluid", "extreme"}:
        inherited |= earlier
    return inherited | own, label if listed else ""


def _respectively(sentence: str, found: list[Mention]) -> list[Mention]:
    """ "The turbine and the pump have efficiencies of 0.9 and 0.8, respectively": paired in order."""
    if "respectively" not in sentence.lower():
        return found
    kinds = [mention.kind for mention in found]
    kind = next((kind for kind in kinds if kinds.count(kind) > 1), "")
    group = [n for n, mention in enumerate(found) if mention.kind == kind]
    if not group:
        return found
    start = sentence.find(found[group[0]].text)
    for wanted in ("component", "stage", "port", "stream"):
        tags = list(dict.fromkeys(named_in(sentence[:start], wanted)))
        if len(tags) == len(group):
            return _paired(found, group, wanted, tags)
    return found


def _paired(found: list[Mention], group: list[int], wanted: str, tags: Sequence[str]) -> list[Mention]:
    paired = list(found)
    for number, tag in zip(group, tags, strict=True):
        paired[number] = replace(found[number], place={wanted: tag})
    return paired

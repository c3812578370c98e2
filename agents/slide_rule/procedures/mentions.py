"""Quantities of a process text, each with its kind and the place the text attaches it to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ansatz.agents.slide_rule.givens import UNIT, trimmed_unit
from ansatz.agents.slide_rule.procedures.kinds import kind_of, label_of, places_of_symbol
from ansatz.agents.slide_rule.procedures.places import Place, named_in, place, place_in
from ansatz.agents.slide_rule.units import NONE, Unit

_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"
_QUANTITY = re.compile(
    rf"(?P<symbols>(?:(?<![\w])[A-Za-z]\w*(?:,\w+)*\s*(?:=|≈)\s*)*)(?<![\w.^/])(?<!\w-)"
    rf"(?P<number>{_NUMBER})(?![\w.]*\])\s*(?P<unit>{UNIT})?"
    r"|(?P<saturated>(?:dry[- ])?saturated[- ](?:(?:mixed )?water[- ])?"
    r"(?P<phase>liquid|vapou?r|steam|water)(?: vapou?r)?"
    r"|saturated (?:refrigerant|r-?134a|refrigerant-134a) (?P<named>liquid|vapou?r))",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:ratio|efficienc\w+|effectiveness|quality|dryness(?: fraction)?|COP|exponent|\bk)\b[^.;\d]{0,45}$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+(?=[A-Z(*-])|\n+")
_AFTER = re.compile(
    r"\s*(?:\((?P<remark>[^()]*)\)"
    r"|(?P<phrase>(?:absolute )?(?:in|at|inside|within|for|from|of|to|on|near|entering|leaving)"
    r" (?:its |the |an? |both |each )?(?!\d)[^,.;\n\d]*?)(?=,|\.|;|\n|$| and | while | with | when |\s*\d))"
)
_STATE = re.compile(r"\b(?:state|point|station)\s*(\d[a-z]?)\b|\((\d[a-z]?)\)", re.IGNORECASE)
_DATUM = re.compile(
    r"\breference\b.*\b(?:iir|ashrae|nbp|enthalpy|entropy|h\s*=|u\s*=)|\b(?:iir|ashrae)\b", re.IGNORECASE
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
    context: str = field(default="", compare=False)


def mentions(text: str) -> tuple[Mention, ...]:
    """Every quantity of a text in plain notation, and every "saturated liquid" or "vapour" as a quality."""
    found: list[Mention] = []
    heading: Place = {}
    for line in text.split("\n"):
        if line.rstrip(" *").endswith(":") and not _QUANTITY.search(line):
            heading = place_in(line)
            continue
        if not line.strip():
            heading = {}
        for sentence in _SENTENCE.split(line):
            if not _DATUM.search(sentence):
                found += _respectively(sentence, list(_of_sentence(sentence, heading)))
                found += _ideal_machines(sentence)
    return tuple(found)


def _of_sentence(sentence: str, heading: Place) -> Iterator[Mention]:
    here, label, end, earlier_kind = dict(heading), "", 0, "other"
    components = named_in(sentence, "component")
    for match in _QUANTITY.finditer(sentence):
        before = sentence[end : match.start()]
        if match["saturated"]:
            unit, stated, stop = Unit(1.0, NONE), match.group(), match.end()
            value = 0.0 if (match["phase"] or match["named"]).lower() in ("liquid", "water") else 1.0
        else:
            unit_text, unit = trimmed_unit(match["unit"] or "")
            if not unit_text and not match["symbols"] and not _BARE.search(sentence[: match.start()]):
                continue
            value = unit.to_si(float(match["number"].replace(",", "")))
            stop = match.start("unit") + len(unit_text) if unit_text else match.end("number")
            stated = sentence[match.start("number") : stop]
        after = _AFTER.match(sentence, stop)
        following = (after["remark"] or after["phrase"] or "") if after else ""
        if match["saturated"] and not place_in(before):
            following = following or re.split(r"[,;]| and |\d", sentence[stop:])[0]
        symbols = tuple(filter(None, re.split(r"\s*[=≈]\s*", match["symbols"] or "")))
        here, label = _attached(before, following, here, label, heading)
        named = place(" ".join(map(places_of_symbol, symbols)))
        own_label = next((name for name in map(label_of, symbols) if name), label)
        kind = "quality" if match["saturated"] else kind_of(symbols, unit, before, following)
        again = _CONNECTORS.match(before) or re.search(r"\bthat (?:of|for)\b", before)
        kind = earlier_kind if kind == "other" and again else kind
        earlier_kind = kind
        context = f"{before} {following}"
        yield Mention(kind, value, unit, stated, here | named, own_label, symbols, components, context)
        end = after.end() if after and not after["remark"] else stop


def _ideal_machines(sentence: str) -> Iterator[Mention]:
    """A machine called isentropic, reversible or ideal, as an efficiency of one."""
    for found in _IDEAL.finditer(sentence):
        component = place_in(found["before"] or found["after"])
        yield Mention("efficiency", 1.0, Unit(1.0, NONE), found.group().strip(), component)


def _attached(before: str, following: str, earlier: Place, label: str, heading: Place) -> tuple[Place, str]:
    """The place of a quantity: named beside it, or else that of the quantity before it."""
    own = place_in(before) | place_in(following)
    stated = [one or other for one, other in _STATE.findall(f"{before} {following}")]
    if stated:
        return (heading | own if own else earlier), stated[-1]
    if not own:
        return earlier, label
    inherited = dict(heading)
    if "component" not in own and "special" not in own:
        inherited |= {group: tag for group, tag in earlier.items() if group not in ("port", "special")}
    if "port" not in own and not own.keys() & {"component", "special", "stream", "fluid"}:
        inherited |= earlier
    return inherited | own, label if _CONNECTORS.match(before) else ""


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

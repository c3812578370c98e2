"""Read a plainly worded question that has no blanks: what it asks for, and the givens in its sentences.

"What is the shaft power?" asks for the quantity whose name has the head word "power" and the word "shaft".
Givens are values with a unit; the words around a value name it ("9 m head", "from 20 degC to 80 degC").
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ansatz.agents.slide_rule.asked_quantities import (
    AUXILIARY,
    PREPOSITION,
    SENTENCES,
    Sought,
    asks_for,
)
from ansatz.agents.slide_rule.formulas import KnownFormula
from ansatz.agents.slide_rule.property_lookup import find_property, parse_property_question
from ansatz.agents.slide_rule.quantity_names import (
    find_any_fluid,
    load_yaml,
    stem_words,
)
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, find_kind
from ansatz.quantities.notation import NUMBER, read_number, read_unit
from ansatz.quantities.scales import convert_value

_NAME_AFTER = re.compile(
    rf" (?:of )?(?P<name>(?!(?:{PREPOSITION}|{AUXILIARY}|and|or)\b)[a-z][\w-]*"
    rf"(?: (?!(?:{PREPOSITION}|{AUXILIARY}|and|or)\b)[a-z][\w-]*){{0,2}})(?!,? =)\b",
    re.IGNORECASE,
)
_NOUN_AFTER = re.compile(r" (?P<noun>(?:(?:inner|outer|inside|outside) )?[a-z]+)\b")
_LINK = re.compile(
    r" (?:(?:(?:is|has|have|are) to|should|must|shall) be"
    r"|(?:(?:is|are|was|held|kept) )?(?:of|at|is|are|=|about|only))$"
)
_STATES_VALUE = re.compile(r" (?:of|is|are|=|is about|be)$")
_PAIR_OF_NAMES = re.compile(
    r"\b(?P<first>\w+) and (?P<second>\w+) (?P<common>[\w -]+?) (?:are|of|is|were) $", re.IGNORECASE
)
_ABOVE = re.compile(r" (?:above|high\b|up\b)", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:after|afterwards|then|later|now|(?:has|have|is|are) (?:warmed|cooled|heated|risen|fallen))\b",
    re.IGNORECASE,
)
_STATED = re.compile(r"\b(?P<symbol>[^\W\d]\w*) (?:is|of|=) ?$")
_NAMED_ALONE = re.compile(r"(?:^|[,;:(]|\b(?:and|with)) ?(?P<symbol>[^\W\d]\w+) $")  # "gamma 1.4"
_PHRASE_ENDS = re.compile(rf"[,;:.()?]|\b(?!of\b)(?:{PREPOSITION}|and|or)\b", re.IGNORECASE)
_PART = re.compile(
    r"(?:[\w.^/-]|(?<! )\()$|[*^/+] $"
)  # before a number that is part of an expression or a name
_FORM = re.compile(r"\b(?:number|fraction|value) (?:between|from) 0(?:\.0)?(?: (?:and|to) 1(?:\.0)?)?$")
_OF_THING = re.compile(r" of (?:\w+ ){0,2}?(?P<thing>\w+)(?= (?:with|at|from|in|and|of|is|are)\b|[,.;?]|$)")
_HEATED = re.compile(r"\b(?:heated|cooled) ", re.IGNORECASE)  # names a thing, and no heat
_PAIRED = re.compile(r"(?<!between )[-−]?\d\S* ?(?:to|through|[–—-]) ?|(?<=between )[-−]?\d\S* (?:and|to) ")
_BY_FACTOR = re.compile(
    r"(?:\b(?:rais|increas|boost)\w+ (?:its|the|their) (?P<quantity>pressure)\b|\bcompress\w*)"
    r"[^.;]* by a factor of ?$",
    re.IGNORECASE,
)
_ENERGIES = tuple(map(find_kind, ("J", "W", "J/kg")))
_TIMES = re.compile(r"[\d.,]+(?: ?[a-z]{1,11})? ?(?:x|×|by|times|\*) ?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\b(?:(?! (?:from|to|of) )[^,;:])*$", re.IGNORECASE)
_SHARES_NOUN = re.compile(
    r"[\d.,]+ ?[a-z]{1,3} and (?:its |the |an? )?(?:[a-z-]+ ){1,2}(?:at|of|is) ", re.IGNORECASE
)
_LISTED = re.compile(r"\b[a-z-]+s (?:are|of|were) $")
_REFERS = re.compile(r"\b(?:does|will|would|do) (?:it|they|the (?:gas|air))\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"^(?:The|Its|Their) (?P<name>[a-z][a-z -]*?) (?:of|in|for) [^\d]*(?:is|are|was|were) $"
)
_MAX_NAME = 5  # words
_CONVERTED = 1e-3  # to which a stated conversion is rounded

Located = tuple[KnownQuantity, int]
"""A given and the offset of its value in the text."""


def read_plain_properties(
    body: str, sought: Sequence[Sought], located: Sequence[Located]
) -> ParsedQuestion | None:
    """Read a question without blanks about a fluid at one state; None for any other question."""
    plain = tuple(given for given, _ in located)
    properties = tuple(filter(None, (find_property(each, len(plain)) for each in sought)))
    if not sought or len(properties) < len(sought):
        return None
    reading = ParsedQuestion(body, plain, properties, frozenset(), False)
    state = parse_property_question(reading, find_any_fluid)
    if state is None or any(each not in state.state.values() for each in plain):
        return None
    is_line = all(at for _, _, at in state.wanted)
    return None if is_line and len(plain) > 1 else reading  # values of saturation need only one


def locate_quantities(text: str, formulas: Sequence[KnownFormula]) -> list[Located]:
    """Find every number with its unit and name. A number that cannot be read is a given that fits nothing."""
    symbols = {symbol.name for formula in formulas for symbol in formula.inputs}
    symbols |= load_yaml("language.yaml")["letters"].keys()
    found: list[Located] = []
    end = 0
    for number in NUMBER.finditer(text):
        start = number.end() - len(number.group().lstrip())
        left = text[end:start]
        stated = read_number(text, start) if start >= end else None
        is_next = bool(found) and found[-1][0].unit != "-" and left.strip() == "/"  # 60 bar / 500 degC
        if stated is None or (_PART.search(left) and not is_next) or _FORM.search(text, 0, stated.end):
            continue
        unit, after = read_unit(text, stated.end)
        symbol = _STATED.search(left) or _NAMED_ALONE.search(left)
        is_symbol = symbol is not None and (symbol["symbol"] in symbols or left.rstrip().endswith("="))
        is_joined = bool(found) and left.strip() in ("and", "and at")
        about, after = _name_value(text, left, unit, after)
        about = _name_length(text, unit, start, _HEATED.sub("", about))
        if is_joined and not about and found[-1][0].kind == find_kind(unit or "-"):
            about = found[-1][0].about  # emissivities of 0.8 and 0.3
        name = symbol["symbol"] if symbol and is_symbol else ""
        unit = _read_celsius(unit, about) or "-"
        about = _name_factor(left, about) if unit == "-" else f"{_find_role(left, unit)} {about}".strip()
        found.append((KnownQuantity(name, stated.value, unit, about or _name_by_unit(unit)), start))
        end = after
    named = _name_pairs(text, _share_units(text, _remove_conversions(text, found)))
    return _join_dimensions(text, named)


def _remove_conversions(text: str, located: Sequence[Located]) -> list[Located]:
    """Remove both values of a conversion that a text states correctly, such as "1 lb = 0.4536 kg"."""
    removed: set[int] = set()
    for (given, start), (same, same_start) in pairwise(located):
        is_equation = text[_find_end(text, start) : same_start].strip() == "="
        size = convert_value(given.value, given.unit, same.unit) if is_equation else None
        if size is not None and math.isclose(size, same.value, rel_tol=_CONVERTED):
            removed |= {start, same_start}
    return [each for each in located if each[1] not in removed]


def _name_value(text: str, left: str, unit: str, after: int) -> tuple[str, int]:
    """Return the words that name a value, from before and after it, and where they end."""
    phrase = _PHRASE_ENDS.split(_LINK.sub("", _LINK.sub("", left.rstrip())))[-1]
    before = [] if asks_for(f"{phrase} x") else re.findall(r"[A-Za-z][\w-]*", phrase)
    if re.search(r"\w at$", left.rstrip()) and not re.search(r"\b(?:is|are) at$", left.rstrip()):
        before = before[-2:]  # "the turbine draws air at 15 degC": the air
    if noun := _find_noun_after(text, unit, after):
        return " ".join([*before[-_MAX_NAME:], *noun.split()]), after + len(noun) + 1
    if _STATES_VALUE.search(left.rstrip()):
        subject = None if before else _SUBJECT.search(SENTENCES.split(left)[-1])
        return subject["name"] if subject else " ".join(before[-_MAX_NAME:]), after
    if _ABOVE.match(text, after):
        return " ".join([*before[-_MAX_NAME:], "altitude"]), after
    following = None if text[after - 1] == "." else _NAME_AFTER.match(text, after)
    if following is None:
        return " ".join(before[-_MAX_NAME:]), after
    words = following["name"].split()
    return " ".join([*before[-_MAX_NAME:], *words]), after + following.start("name") - following.start()


def _name_length(text: str, unit: str, start: int, about: str) -> str:
    """Name the value of "120 m of pipe" a length."""
    things = stem_words(load_yaml("language.yaml")["elongated"])
    of = _OF_THING.match(text, _find_end(text, start)) if find_kind(unit) == find_kind("m") else None
    return f"length {about}" if of and stem_words(of["thing"]) & things else about


def _find_noun_after(text: str, unit: str, after: int) -> str:
    """Return the noun after a value if it names what the unit measures: "a rod of 12 mm diameter"."""
    noun = _NOUN_AFTER.match(text, after)
    kinds = load_yaml("language.yaml")["kinds"]
    kind = find_kind(unit) if unit else None
    measured = next((names for each, names in kinds.items() if kind and find_kind(each) == kind), "")
    return noun["noun"] if noun and stem_words(noun["noun"].split()[-1]) & stem_words(measured) else ""


def _name_factor(left: str, about: str) -> str:
    """Name the factor of "compresses the charge by a factor of 9" by its verb or by its quantity."""
    changed = _BY_FACTOR.search(left)
    if changed is None:
        return about
    return f"{changed['quantity']} ratio" if changed["quantity"] else "compression ratio"


def _find_role(left: str, unit: str) -> str:
    """Return what the last verb before heat, work or power makes of it: "rejects 75 kJ"."""
    if find_kind(unit) not in _ENERGIES:
        return ""
    clause = re.split(r"[.;:]\s", left)[-1]
    roles = load_yaml("language.yaml")["roles"]
    found = [(each.start(), verb) for verb in roles for each in re.finditer(rf"\b{verb}\b", clause, re.I)]
    return str(roles[max(found)[1]]) if found else ""


def _name_pairs(text: str, located: Sequence[Located]) -> list[Located]:
    """Name the values of "compressor and turbine efficiencies are 85 % and 88 %" each by its own word."""
    named = list(located)
    for place, ((given, start), (following, next_start)) in enumerate(pairwise(located)):
        pair = _PAIR_OF_NAMES.search(text, 0, start)
        is_pair = pair and pair.end() == start and given.kind == following.kind
        if given.kind == following.kind and _SHARES_NOUN.fullmatch(text, start, next_start):
            noun = _find_noun_after(text, following.unit, _find_end(text, next_start))
            named[place] = (replace(given, about=f"{given.about} {noun}".strip()), start)
        if pair and is_pair and re.search(r"\d\S*(?: \S{1,3})? and $", text[start:next_start]):
            named[place] = (replace(given, about=f"{pair['first']} {pair['common']}"), start)
            named[place + 1] = (replace(following, about=f"{pair['second']} {pair['common']}"), next_start)
    return named


def _find_end(text: str, start: int) -> int:
    """Return where the value that starts at an offset ends, with its unit."""
    number = read_number(text, start)
    return read_unit(text, number.end)[1] if number else start


def _share_units(text: str, located: Sequence[Located]) -> list[Located]:
    """Give a number without a unit that of the number it is paired with: "from 90 to 60 degC"."""
    shared = list(located)
    for place, ((given, start), (following, next_start)) in enumerate(pairwise(located)):
        is_list = _LISTED.search(text, 0, start) and re.fullmatch(r"[\d.,]+ and ", text[start:next_start])
        is_pair = is_list or _PAIRED.fullmatch(text, start, next_start)
        if given.unit == "-" and not given.symbol and is_pair:
            shared[place] = (replace(given, unit=following.unit), start)
    return shared


def _join_dimensions(text: str, located: Sequence[Located]) -> list[Located]:
    """Read the lengths of "a duct of 0.4 m by 0.3 m" as an area, and three of them as a volume."""
    groups: list[list[Located]] = []
    for place, each in enumerate(located):
        is_next = bool(groups) and each[0].kind == find_kind("m") == groups[-1][-1][0].kind
        if place and is_next and _TIMES.fullmatch(text, groups[-1][-1][1], each[1]):
            groups[-1].append(each)
        else:
            groups.append([each])
    return [group[0] if len(group) == 1 else _multiply(group) for group in groups]


def _multiply(group: Sequence[Located]) -> Located:
    first, start = group[0]
    noun = {2: "area", 3: "volume"}.get(len(group), "")
    size = math.prod(given.convert_to("m") for given, _ in group)
    return KnownQuantity("", size, f"m^{len(group)}", f"{first.about} {noun}".strip()), start


def _name_by_unit(unit: str) -> str:
    """Name a value that the text does not name by the quantity that its unit measures: 250 m/s is a speed."""
    kind, names = find_kind(unit), load_yaml("language.yaml")["measured"]
    return next((names[each] for each in names if kind and kind == find_kind(each)), "")


def _read_celsius(unit: str, about: str) -> str:
    """Read C as degrees Celsius, unless the words name a charge."""
    return "degC" if unit == "C" and "charg" not in stem_words(about) else unit


def name_states(text: str, located: Sequence[Located]) -> list[KnownQuantity]:
    """Name the givens of "from A to B" initial and final, and temperatures "between A and B" hot and cold."""
    named: list[KnownQuantity] = []
    states = [_name_state(text, start) for _, start in located]
    _name_later_states(text, located, states)
    for place, state in enumerate(states):
        if state == "to":
            states[place] = _name_earlier_states(text, located, states, place)
    for (given, _), state in zip(located, states, strict=True):
        if state == "before":  # "air at 20 degC is compressed from 1 bar to 8 bar"
            state = "initial" if _name_kind(given) else ""
        about = f"{state} {_name_kind(given)}" if state else ""
        named.append(replace(given, about=f"{about} {given.about}".strip()))
    _name_streams(named)
    levels = _find_levels(text, located, named)
    if len(levels) == 2:
        hot = max(levels, key=lambda each: each.convert_to("K"))
        for each in levels:
            name = "hot reservoir temperature" if each is hot else "cold reservoir temperature"
            named[named.index(each)] = replace(each, about=name)
    return named


def _find_levels(
    text: str, located: Sequence[Located], named: Sequence[KnownQuantity]
) -> list[KnownQuantity]:
    """Find the temperatures of "between a source at 165 degC and cooling water at 18 degC"."""
    places = [place for place, each in enumerate(named) if each.kind == find_kind("K")]
    if len(places) != 2:
        return []
    first, last = (located[place][1] for place in places)
    before = SENTENCES.split(text[:first])[-1]
    is_pair = re.search(r" and ", text[first:last]) and not SENTENCES.search(text[first:last])
    return [named[place] for place in places] if is_pair and _BETWEEN.search(before) else []


def _name_later_states(text: str, located: Sequence[Located], states: list[str]) -> None:
    """Name values of a sentence with "after" or "then" final, and earlier ones of their kind initial."""
    for place, (given, start) in enumerate(located):
        sentence = SENTENCES.split(text[:start])[-1] + SENTENCES.split(text[start:])[0]
        is_later = _LATER.search(sentence) or (asks_for(sentence) and _REFERS.search(sentence))
        if states[place] not in ("", "to") or not is_later:
            continue
        begin = start - len(SENTENCES.split(text[:start])[-1])
        earlier = [at for at in range(place) if located[at][1] < begin and located[at][0].kind == given.kind]
        if len(earlier) == 1 and states[earlier[0]] in ("", "to", "initial") and _name_kind(given):
            states[earlier[0]], states[place] = "initial", "final"
            for at, (other, _) in enumerate(located[:place]):  # the rest of the initial state
                if states[at] in ("", "to") and _name_kind(other) and other.kind != given.kind:
                    states[at] = "initial"


def _name_streams(named: list[KnownQuantity]) -> None:
    """Name the temperatures of two streams: the one that falls is hot, and the one that rises is cold."""
    ends = [
        place
        for place, (first, last) in enumerate(pairwise(named))
        if first.about.startswith("initial")
        and last.about.startswith("final")
        and first.kind == last.kind == find_kind("K")
    ]
    if len(ends) != 2:
        return
    falls = [named[place].convert_to("K") > named[place + 1].convert_to("K") for place in ends]
    for place, is_falling in zip(ends, falls, strict=True):
        for at, end in ((place, "inlet"), (place + 1, "outlet")):
            if sum(falls) == 1:
                stream = f"{'hot' if is_falling else 'cold'} {end} temperature"
                named[at] = replace(named[at], about=f"{named[at].about} {stream}")


def _name_state(text: str, start: int) -> str:
    """Return "initial" after "from", "final" after its "to", and "to" or "between" after these words."""
    before = SENTENCES.split(text[:start])[-1]
    after = SENTENCES.split(text[start:])[0]
    words = re.findall(r"\b(?:from|to|between|with|at|of)\b", before)
    if re.search(r"\bfrom\b", after) and re.search(r"\bto\b", after) and "from" not in words:
        return "before"
    if words and words[-1] == "from" and re.search(r"\bto\b", after):
        return "initial"
    if words[-2:] == ["from", "to"]:
        return "final"
    return words[-1] if words and words[-1] in ("between", "to") else ""


def _name_earlier_states(text: str, located: Sequence[Located], states: list[str], place: int) -> str:
    """Return "final" for a value after "to" if its sentence states another of its kind before.

    The values before it are then initial: "air at 1 bar and 25 degC is compressed to 8 bar".
    """
    given, start = located[place]
    sentence = start - len(SENTENCES.split(text[:start])[-1])
    earlier = [each for each in range(place) if located[each][1] >= sentence and not states[each]]
    if all(located[each][0].kind != given.kind for each in earlier):
        return ""
    for each in earlier:
        states[each] = "initial"
    return "final"


def _name_kind(given: KnownQuantity) -> str:
    if given.kind == find_kind("m^3"):
        return "volume"
    return str(load_yaml("properties.yaml")["words"].get(find_property_symbol(given), ""))


def find_property_symbol(given: KnownQuantity) -> str:
    units = load_yaml("properties.yaml")["units"]
    return next((name for name in ("T", "P", "v", "rho") if find_kind(units[name]) == given.kind), "")

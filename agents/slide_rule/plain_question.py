"""Read a plainly worded question that has no blanks: what it asks for, and the givens in its sentences.

"What is the shaft power?" asks for the quantity whose name has the head word "power" and the word "shaft".
Givens are values with a unit; the words around a value name it ("9 m head", "from 20 degC to 80 degC").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ansatz.agents.slide_rule.formulas import KnownFormula
from ansatz.agents.slide_rule.property_lookup import parse_property_question
from ansatz.agents.slide_rule.quantity_names import (
    find_acronyms,
    find_fluid,
    load_yaml,
    score_names,
    score_overlap,
    stem_words,
)
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, Symbol, find_kind
from ansatz.agents.slide_rule.solution_path import CHANGES, FormulaUse, bind_symbols
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, read_number, read_unit
from ansatz.quantities.scales import find_scale

_PREPOSITION = (
    r"(?:of|at|in|on|from|for|between|across|below|above|per|with|without|when|where|if|to|by|through|under|over"
    r"|after|before|during|into|against|using|as|that|which|while)"
)
_AUXILIARY = r"(?:is|are|was|were|be|do|does|did|has|have|will|would|must|can|should|needs?|needed|required)"
_ASKS = re.compile(
    r"\b(?:what|how (?:much|many)|how (?P<adjective>\w+)(?= (?:is|are|(?P<does>does|do|can|will))\b)"
    r"|find|determine|calculate|compute|estimate)\b"
    rf"(?: {_AUXILIARY}\b)?(?: (?:the|its|their|this|a|an))? (?P<name>[^,;:.?()]+)",
    re.IGNORECASE,
)
_NAME_ENDS = re.compile(rf"(?:^|\s)(?:(?:{_PREPOSITION}|{_AUXILIARY})\b|\d).*$", re.IGNORECASE | re.DOTALL)
_UNIT_ENDS = re.compile(rf"\s*(?:$|[.?,;:]|(?:{_PREPOSITION}|{_AUXILIARY})\b)", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.?!])\s+|\n+")
_NAME_AFTER = re.compile(
    rf" (?:of )?(?!(?:{_PREPOSITION}|{_AUXILIARY}|and|or)\b)(?P<name>[a-z][\w-]*)\b(?!,? =)", re.IGNORECASE
)
_STATED = re.compile(r"\b(?P<symbol>[^\W\d]\w*) (?:is|of|=) ?$")
_PHRASE_ENDS = re.compile(rf"[,;:.()?]|\b(?:{_PREPOSITION}|and|or)\b", re.IGNORECASE)
_PART = re.compile(r"[\w.^/(-]$|[*^/+] $")  # before a number that is part of an expression or a name
_STATE_WORDS = stem_words("final initial specific actual")
_PAIRED = re.compile(r"(?<!between )\d\S* ?(?:to|through|[–—-]) ?|(?<=between )\d\S* (?:and|to) ")
_MAX_NAME = 4  # words
_MAX_CANDIDATES = 3
_MAX_FORMULA = 80  # characters

Located = tuple[KnownQuantity, int]
"""A given and the offset of its value in the text."""


@dataclass(frozen=True)
class Sought:
    """A quantity that a sentence asks for."""

    name: str
    unit: str
    """The unit that the sentence requests; empty for none."""
    context: frozenset[str]
    """Stems of the words of the whole question."""

    @property
    def head(self) -> frozenset[str]:
        """The stem of the noun that names the kind of quantity."""
        return find_head(self.name)

    @property
    def essential(self) -> frozenset[str]:
        """Stems of the words that a formula's name has to share."""
        return (stem_words(self.name) - _STATE_WORDS) | self.head


def find_head(name: str) -> frozenset[str]:
    """Return the stem of the last noun before the first preposition."""
    words = re.findall(r"[A-Za-z][\w-]*", _NAME_ENDS.sub("", name))
    return next(filter(None, map(stem_words, reversed(words))), frozenset())


def find_sought(body: str) -> tuple[Sought, ...]:
    """Find the quantities that the questions and requests of a text ask for."""
    context = stem_words(body)
    found = []
    for sentence in _SENTENCES.split(body):
        if asked := _ASKS.search(sentence):
            name = _NAME_ENDS.sub("", asked["name"])
            names = [part.strip() for part in re.split(r",| and ", name) if stem_words(part)]
            if noun := load_yaml("language.yaml")["nouns"].get((asked["adjective"] or "").lower()):
                names = [noun] if asked["does"] else [f"{noun} of {each}" for each in names]
            names = [re.sub(r"(?<=\w )point$", "temperature", name) for name in names]  # the boiling point
            unit = _find_requested_unit(sentence)
            found += [Sought(each, unit, context) for each in names]
    return tuple(found)


def _find_requested_unit(sentence: str) -> str:
    """Return the unit of "in kg/m^3", or an empty text."""
    for place in re.finditer(r"\bin (?=\S)", sentence):
        unit, end = read_unit(sentence, place.end())
        if unit and _UNIT_ENDS.match(sentence, end):
            return unit
    return ""


def read_plain_question(text: str, formulas: Sequence[KnownFormula]) -> Iterator[ParsedQuestion]:
    """Yield the readings of a question without blanks, the likeliest first.

    Each has one target for each quantity that the question asks for: a property of a fluid at its state, or
    the output of a formula.
    """
    body = to_plain_text(text)
    sought = find_sought(body)
    located = locate_quantities(body, formulas)
    plain = tuple(given for given, _ in located)
    if not sought:
        return
    properties = tuple(filter(None, (_find_property(each, len(plain)) for each in sought)))
    reading = ParsedQuestion(body, plain, properties, frozenset(), False)
    state = parse_property_question(reading)
    if state and len(properties) == len(sought) and all(each in state.state.values() for each in plain):
        yield reading
    if len(sought) == 1:
        givens = name_states(body, located)
        for target in _list_outputs(_drop_unknown_end(sought[0], formulas), formulas):
            for each in (givens, _replace_by_change(givens), _replace_by_difference(givens)):
                reading = ParsedQuestion(body, tuple(each), (target,), frozenset(), False)
                if not parse_property_question(reading):  # otherwise the givens state more than one state
                    yield reading


def _drop_unknown_end(sought: Sought, formulas: Sequence[KnownFormula]) -> Sought:
    """Drop the last words if no formula uses them: "drag acts" is the drag."""
    vocabulary = frozenset[str]().union(*(each.words for each in formulas))
    words = sought.name.split()
    while len(words) > 1 and not stem_words(words[-1]) & vocabulary:
        words.pop()
    return replace(sought, name=" ".join(words))


def _find_property(sought: Sought, givens: int) -> Symbol | None:
    """Find the property of a fluid that a name means; one given determines values of saturation alone."""
    table = load_yaml("properties.yaml")
    is_line = givens == 1 and not sought.context.isdisjoint(stem_words("boil condense saturated"))
    names = sorted(table["words"].items(), key=lambda entry: is_line and not entry[0].endswith("_sat"))
    for name, words in names:
        unit = table["units"][name.partition("_")[0]]
        if sought.head <= find_head(words) and sought.essential <= stem_words(words):
            wanted = sought.unit if find_kind(sought.unit) == find_kind(unit) else ""
            if wanted or not sought.unit:
                return Symbol(name, wanted or unit, stem_words(words), find_kind(unit))
    return None


def _list_outputs(sought: Sought, formulas: Sequence[KnownFormula]) -> list[Symbol]:
    """List targets, one for each kind of quantity, from the formulas whose output the name can mean."""
    found: dict[object, Symbol] = {}
    for formula in formulas:
        output, heads = formula.output, find_head(formula.output.about) | find_head(formula.title)
        heads |= find_acronyms(formula.output.about) | find_acronyms(formula.title)
        names = formula.names
        fits = sought.head and sought.head <= heads and sought.essential <= names
        if fits and (not sought.unit or find_kind(sought.unit) == output.kind) and output.kind not in found:
            words = stem_words(sought.name) | (sought.context & formula.words)
            unit = sought.unit or output.unit
            found[output.kind] = Symbol(output.name, unit, words, output.kind, output.about, sought.essential)
    return list(found.values())


def is_supported(step: FormulaUse, reading: ParsedQuestion) -> bool:
    """Whether words of the question support a formula, beyond the kind of quantity that it gives.

    Otherwise "what is its speed?" would be the speed on a circular orbit if a length is given.
    """
    [target], context, output = reading.targets, stem_words(reading.body), step.formula.output
    if any(
        symbol.words & CHANGES and (scale := find_scale(step.bound[symbol.name].unit)) and scale.offset
        for symbol in step.formula.inputs
    ):
        return False  # 100 degC is a temperature, and no difference of temperatures
    if output.kind == find_kind("-") and output.words <= target.essential:
        return True  # the name of a pure number, such as Mach number, is its own
    if len(target.essential) > 1 or (step.formula.words - target.essential) & context:
        return True
    inputs = {symbol.name: symbol for symbol in step.formula.inputs}
    return any(
        inputs[name].words & given.words & context or score_names(name, given.symbol) > 0
        for name, given in step.bound.items()
        if given.step is None
    )


def locate_quantities(text: str, formulas: Sequence[KnownFormula]) -> list[Located]:
    """Find every number with its unit and name. A number that cannot be read is a given that fits nothing."""
    symbols = {symbol.name for formula in formulas for symbol in formula.inputs}
    found: list[Located] = []
    end = 0
    for number in NUMBER.finditer(text):
        start = number.end() - len(number.group().lstrip())
        left = text[end:start]
        stated = read_number(text, start) if start >= end else None
        if stated is None or _PART.search(left):
            continue
        unit, after = read_unit(text, stated.end)
        symbol = _STATED.search(left)
        is_symbol = symbol is not None and (symbol["symbol"] in symbols or left.rstrip().endswith("="))
        phrase = _PHRASE_ENDS.split(left.rstrip().removesuffix(" of").removesuffix(" is"))[-1]
        named = re.findall(r"[A-Za-z][\w-]*", phrase)
        following = None if text[after - 1] == "." else _NAME_AFTER.match(text, after)
        about = " ".join(named[-_MAX_NAME:])
        if following and not is_symbol:
            about, after = following["name"], following.end()
        elif _ASKS.search(f"{phrase} x"):
            about = ""
        name = symbol["symbol"] if symbol and is_symbol else ""
        unit = _read_celsius(unit, about) or "-"
        about = about or _name_by_unit(unit)
        found.append((KnownQuantity(name, stated.value, unit, about), start))
        end = after
    return _share_units(text, found)


def _share_units(text: str, located: Sequence[Located]) -> list[Located]:
    """Give a number without a unit that of the number it is paired with: "from 90 to 60 degC"."""
    shared = list(located)
    for place, ((given, start), (following, next_start)) in enumerate(pairwise(located)):
        if given.unit == "-" and _PAIRED.fullmatch(text, start, next_start):
            shared[place] = (replace(given, unit=following.unit), start)
    return shared


def _name_by_unit(unit: str) -> str:
    """Name a value that the text does not name by the quantity that its unit measures: 250 m/s is a speed."""
    kind, names = find_kind(unit), load_yaml("language.yaml")["measured"]
    return next((names[each] for each in names if kind and kind == find_kind(each)), "")


def _read_celsius(unit: str, about: str) -> str:
    """Read C as degrees Celsius, unless the words name a charge."""
    return "degC" if unit == "C" and "charg" not in stem_words(about) else unit


def name_states(text: str, located: Sequence[Located]) -> list[KnownQuantity]:
    """Name the givens of "from A to B" initial and final, and temperatures "between A and B" hot and cold."""
    named = []
    states = [_name_state(text, start) for _, start in located]
    for place, state in enumerate(states):
        if state == "to":
            states[place] = _name_earlier_states(text, located, states, place)
    for (given, _), state in zip(located, states, strict=True):
        about = f"{state} {_name_kind(given)}" if state else ""
        named.append(replace(given, about=f"{about} {given.about}".strip()))
    levels = [each for each in named if each.about.startswith("between") and each.kind == find_kind("K")]
    if len(levels) == 2:
        hot = max(levels, key=lambda each: each.convert_to("K"))
        for each in levels:
            name = "hot reservoir temperature" if each is hot else "cold reservoir temperature"
            named[named.index(each)] = replace(each, about=name)
    return named


def _name_state(text: str, start: int) -> str:
    """Return "initial" after "from", "final" after its "to", and "to" or "between" after these words."""
    before = _SENTENCES.split(text[:start])[-1]
    after = _SENTENCES.split(text[start:])[0]
    words = re.findall(r"\b(?:from|to|between|with|at|of)\b", before)
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
    sentence = start - len(_SENTENCES.split(text[:start])[-1])
    earlier = [each for each in range(place) if located[each][1] >= sentence and not states[each]]
    if all(located[each][0].kind != given.kind for each in earlier):
        return ""
    for each in earlier:
        states[each] = "initial"
    return "final"


def _replace_by_change(givens: Sequence[KnownQuantity]) -> list[KnownQuantity]:
    """Replace an initial and a final value of one kind by the change between them."""
    changed = list(givens)
    for first, last in pairwise(givens):
        ends = first.about.startswith("initial") and last.about.startswith("final")
        if ends and first.kind and first.kind == last.kind:
            unit = "K" if first.kind == find_kind("K") else first.unit
            change = last.convert_to(unit) - first.convert_to(unit)
            about = f"change difference {_name_kind(first)}"
            place = changed.index(first)
            changed[place : place + 2] = [KnownQuantity("", change, unit, about)]
    return changed


def _replace_by_difference(givens: Sequence[KnownQuantity]) -> list[KnownQuantity]:
    """Replace two temperatures, if there are just two, by the difference between them."""
    temperatures = [given for given in givens if given.kind == find_kind("K")]
    if len(temperatures) != 2:
        return list(givens)
    difference = abs(temperatures[0].convert_to("K") - temperatures[1].convert_to("K"))
    rest = [given for given in givens if given not in temperatures]
    return [*rest, KnownQuantity("", difference, "K", "temperature change difference")]


def _name_kind(given: KnownQuantity) -> str:
    return str(load_yaml("properties.yaml")["words"].get(_find_property_symbol(given), ""))


def _find_property_symbol(given: KnownQuantity) -> str:
    units = load_yaml("properties.yaml")["units"]
    return next((name for name in ("T", "P", "v", "rho") if find_kind(units[name]) == given.kind), "")


def explain_unanswered(text: str, formulas: Sequence[KnownFormula]) -> Iterator[str]:
    """Yield what was read of a question without blanks, what may answer it, and a form with blanks."""
    body = to_plain_text(text)
    sought = find_sought(body)
    givens = [given for given, _ in locate_quantities(body, formulas)]
    asked = " and ".join(f"“{each.name}”" for each in sought)
    yield f"read as asked for: {asked or 'nothing'}"
    yield f"read as given: {'; '.join(given.describe() for given in givens) or 'nothing'}"
    properties = [found for each in sought if (found := _find_property(each, len(givens)))]
    fluid = find_fluid(body)
    candidates = _rank_candidates(sought, givens, formulas)[:_MAX_CANDIDATES]
    names, targets = [_find_property_symbol(given) for given in givens], properties
    if fluid and properties and all(names):
        yield f"exactly two properties determine a state of {fluid}, such as T = 300 K and P = 1 bar"
    elif candidates:
        bound = bind_symbols(candidates[0].inputs, givens)
        names = [next((name for name, each in bound.items() if each is given), "") for given in givens]
        targets = [candidates[0].output]
        for formula in candidates:
            equation = f"{formula.output.name} = {formula.text}"
            yield f"a formula that may fit, {formula.title}: {equation[:_MAX_FORMULA]}"
    stated = [
        f"{name or given.symbol or f'x{place}'} = {given.text}"
        for place, (name, given) in enumerate(zip(names, givens, strict=True), 1)
    ]
    blanks = [f"{target.name} = ___ {target.unit}" for target in targets] or ["x = ___ unit"]
    yield f"write symbols and a blank after the question, such as: {', '.join(stated)}. {' '.join(blanks)}"


def _rank_candidates(
    sought: Sequence[Sought], givens: Sequence[KnownQuantity], formulas: Sequence[KnownFormula]
) -> list[KnownFormula]:
    """List the formulas that share a word with what the question asks for; the closest ones come first."""

    def score(formula: KnownFormula) -> float:
        overlap = sum(score_overlap(formula.words, each.context) for each in sought)
        return len(named & formula.names) + len(bind_symbols(formula.inputs, givens)) + overlap

    named = frozenset[str]().union(*(each.essential for each in sought))
    return sorted((each for each in formulas if named & each.names), key=score, reverse=True)

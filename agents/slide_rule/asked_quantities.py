"""Find what a plainly worded question asks for: names of quantities, and the units that it requests.

"What is the shaft power in kW?" asks for a quantity whose name has the head word "power" and "shaft",
in kW; "How long does it take?" asks for a time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ansatz.agents.slide_rule.quantity_names import load_yaml, stem_words
from ansatz.agents.slide_rule.question import find_kind
from ansatz.quantities.notation import read_unit

PREPOSITION = (
    r"(?:of|at|in|on|from|for|between|across|below|above|per|with|without|when|where|if|to|by|through|under|over"
    r"|after|before|until|during|into|against|using|as|that|which|while|so|because)"
)
AUXILIARY = (
    r"(?:is|are|was|were|be|do|does|did|has|have|will|would|must|can|could|should|needs?|needed|required)"
)
SENTENCES = re.compile(r"(?<=[.?!])\s+|\n+")
_ASKS = re.compile(
    r"\b(?:what(?:'s)?|(?:^|(?<=\bat )|(?<=\bto )|(?<=\bin )|(?<=\bby )|(?<=\bfrom ))which"
    r"|how (?P<count>much|many)"
    r"|how (?P<adjective>\w+)(?= (?:is|are|(?P<does>does|do|can|will|did|until|till|before))\b|\?)"
    r"|(?:find|determine|calculate|compute|estimate|^(?:(?:please|pls),? )?(?:give|state))\b(?! of\b))\b"
    rf"(?: me\b)?(?: {AUXILIARY}\b)?(?: (?:the|its|their|this|a|an|it|they)\b)*(?P<name>[^,;:.?()]*)",
    re.IGNORECASE,
)
_CHANGES_BY = re.compile(
    r"\bby how (?:much|many (?P<unit>[\w/^ ]+?)) (?:does|do|will|must|is|are) (?P<name>[^,;:.?()]+?)"
    r" (?:rise|fall|drop|increase|decrease|change|grow|shrink|warm|cool)",
    re.IGNORECASE,
)
_NAME_ENDS = re.compile(rf"(?:^|\s)(?:(?:{PREPOSITION}|{AUXILIARY})\b|\d).*$", re.IGNORECASE | re.DOTALL)
_IS_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|do|does|did|will|would|can|could|must|should)\b", re.IGNORECASE
)
_ESTIMATE_OF = re.compile(r"^[^,;]*\b(?:estimate|value) of (?:the )?", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|they|we|you|i)\b", re.IGNORECASE)
_IN_GRAVITIES = re.compile(r" ?\([^)]*m/s")
_UNIT_ENDS = re.compile(rf"\s*(?:$|[.?,;:(]|(?:{PREPOSITION}|{AUXILIARY})\b)", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:] | [-–—] ")
_WHAT_DOES = re.compile(r"what (?:does|do|will|would|must)\b", re.IGNORECASE)
_MORE_NAMES = re.compile(r"(?:, (?:the )?[a-z][a-z -]*)*,? and (?:the )?[a-z][a-z -]*\?$", re.IGNORECASE)
_LAST_UNIT = re.compile(r"(?:,|(?<= )\() ?(?=\S)")
_REQUEST_ENDS = re.compile(r" ?\)?[?.]?(?:,? please[.?!]?)?$", re.IGNORECASE)
_NAMED_BEFORE = re.compile(r"\b(?:what|which)(?: [a-z-]+){1,4} $", re.IGNORECASE)
_SIDES = re.compile(r" (?:behind|ahead|upstream|downstream)\b.*$", re.IGNORECASE)
_ONE = re.compile(rf"\b(?:{AUXILIARY}|per|of) (?:one|each|every|a single) (?P<unit>\w+)", re.IGNORECASE)
_DRYNESS = re.compile(r"(?:dryness|vapou?r|steam)(?: mass)? (?:fraction|content|quality)", re.IGNORECASE)
_IS_VAPOUR = re.compile(
    r"\b(?:is|are|as) (?:in the form of |still |then )?(?:vapou?r|steam)\b|\bof (?:vapou?r|steam)\?",
    re.IGNORECASE,
)
_ADJECTIVES = re.compile(
    r"\b(?:air-standard|ideal|theoretical|possible|resulting|required|necessary|corresponding) ",
    re.IGNORECASE,
)
_FILM = re.compile(
    r"\b(?:(?:film|inside|outside|surface|convective|convection) )+(?:heat[- ]transfer )?coefficient",
    re.IGNORECASE,
)
_STATE_WORDS = stem_words("final initial specific actual")


@dataclass(frozen=True)
class Sought:
    """A quantity that a sentence asks for."""

    name: str
    unit: str
    """The unit that the sentence requests; empty for none."""
    context: frozenset[str]
    """Stems of the words of the whole question."""
    text: str = ""
    """The whole question."""

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
    name = _SIDES.sub("", _NAME_ENDS.sub("", name))
    words = re.findall(r"[A-Za-z][\w-]*", name)
    return next(filter(None, map(stem_words, reversed(words))), frozenset())


def asks_for(phrase: str) -> bool:
    """Whether a phrase asks for a quantity."""
    return bool(_ASKS.search(phrase))


def find_sought(body: str) -> tuple[Sought, ...]:
    """Find the quantities that the questions and requests of a text ask for."""
    context = stem_words(body)
    found = []
    for sentence in _complete_request(SENTENCES.split(body)):
        unit = _find_requested_unit(sentence)
        if change := _CHANGES_BY.search(sentence):
            unit = unit or read_unit(change["unit"] or "", 0)[0]
            name = _PRONOUN.sub(_name_measured(unit), change["name"]).strip()
            found.append(Sought(f"{name} change".strip(), unit, context, body))
        elif (alone := _read_unit_alone(sentence)) and found and not found[-1].unit:
            found[-1] = replace(found[-1], unit=alone)
        else:
            for asked in _ASKS.finditer(sentence):
                if counted := _find_counted_unit(asked):
                    found.append(Sought(counted[1], _divide_by_one(counted[0], sentence), context, body))
                else:
                    names = _list_names(asked) or ([""] if unit else [])
                    found += [Sought(each, unit, context, body) for each in names]
    return tuple(map(_read_quality, map(_read_gauge, found)))


def _complete_request(sentences: Sequence[str]) -> Sequence[str]:
    """Write the fragment "Pressure drop in bar?" as a question, if no sentence asks."""
    if any(map(asks_for, sentences)):
        return sentences
    fragments = [each for each in sentences if find_head(each) and not _IS_CLAUSE.search(each)]
    questions = [_take_last_clause(each) for each in fragments if each.rstrip().endswith("?")]
    asked = questions or [
        each for each in fragments if _find_requested_unit(each) or fragments == [*sentences]
    ]
    return [f"What is the {_ESTIMATE_OF.sub('', each)}" for each in asked]


def _take_last_clause(fragment: str) -> str:
    """Return "delta v?" of "Isp 320 s, 10 t at the start, delta v?": the last clause, if it names a quantity.

    A unit alone belongs to the clause before it, and "ideal compressor" to "the COP of a refrigerator".
    """
    first, *others = _CLAUSES.split(fragment)
    last = others[-1] if others else ""
    if not find_head(last) or re.search(r"\d", last) or read_unit(last, 0)[0]:
        return fragment
    nouns = stem_words(" ".join(load_yaml("language.yaml")["kinds"].values()))
    return last if find_head(last) & nouns or " of " not in first else fragment


def _name_measured(unit: str) -> str:
    """Name the quantity that a unit measures: a temperature for K; an empty text for an unknown unit."""
    kinds = load_yaml("language.yaml")["kinds"]
    kind = find_kind(unit) if unit else None
    return next((names.split()[0] for each, names in kinds.items() if kind and find_kind(each) == kind), "")


def _read_quality(sought: Sought) -> Sought:
    """Name "what fraction of the mass is vapour" the quality of a fluid."""
    if _DRYNESS.fullmatch(sought.name):
        return replace(sought, name="quality")
    is_named = bool(re.fullmatch(r"(?:mass )?(?:fraction|share|proportion)", sought.name))
    is_share = is_named or (sought.name in ("", "mass") and sought.unit == "%")
    return replace(sought, name="quality") if is_share and _IS_VAPOUR.search(sought.text) else sought


def _read_gauge(sought: Sought) -> Sought:
    """Request gauge units for a "gauge pressure"; an "absolute pressure" is a pressure."""
    name = re.sub(r"\b(?:gauge|absolute) (?=pressure)", "", sought.name)
    unit = f"{sought.unit or 'bar'} gauge" if "gauge" in sought.name else sought.unit
    return replace(sought, name=name, unit=unit)


def _list_names(asked: re.Match[str]) -> list[str]:
    """List the names of what a match of `_ASKS` asks for."""
    name = _NAME_ENDS.sub("", asked["name"].strip())
    name = re.sub(r"\bU-value\b", "thermal transmittance", name)
    name = _FILM.sub("heat transfer coefficient", name)
    name = re.sub(r"\bfriction(?:al)? (?=pressure (?:drop|loss))| (?:it|them)$", "", name)
    if _WHAT_DOES.match(asked.group()):
        name = _name_object(name)
    names = [part.strip() for part in re.split(r",| and ", _ADJECTIVES.sub("", name)) if stem_words(part)]
    language = load_yaml("language.yaml")
    is_amount = bool(asked["does"]) or not asked["name"].strip()
    nouns = language["amounts"] if is_amount else language["nouns"]
    if noun := nouns.get((asked["adjective"] or "").lower()):
        names = [noun] if is_amount or not names else [f"{noun} of {each}" for each in names]
    more = _MORE_NAMES.match(asked.string, asked.end())
    if names and more and not asks_for(more.group()):
        names += [each for each in re.split(r",? and (?:the )?|, (?:the )?", more.group()[:-1]) if each]
    return [re.sub(r"(?<=\w )point$", "temperature", name) for name in names]  # the boiling point


def _name_object(name: str) -> str:
    """Name the power of "what does the compressor draw"; other names stay."""
    *before, verb = name.split() or [""]
    roles = load_yaml("language.yaml")["roles"].items()
    verbs = stem_words(
        " ".join(each for each, role in roles if set(role.split()) & {"electricity", "output"})
    )
    return " ".join([*before, "power"]) if stem_words(verb) & verbs else name


def _find_counted_unit(asked: re.Match[str]) -> tuple[str, str] | None:
    """Return the unit and the name of "how many kW of power" or "what percentage of it"."""
    name = asked["name"].lstrip()
    unit, end = read_unit(name, 0)
    if not unit and (share := re.match(r"percentage\b", name)):
        unit, end = "%", share.end()
    if not unit or not (asked["count"] or unit == "%"):
        return None
    rest = re.sub(r"^\s*of (?:it|the|its)?\s*", "", name[end:])
    return unit, _NAME_ENDS.sub("", rest).strip()


def _divide_by_one(unit: str, sentence: str) -> str:
    """Return W/m for W if a sentence asks what "one metre" has."""
    one = _ONE.search(sentence)
    of = read_unit(one["unit"], 0)[0] if one else ""
    return f"{unit}/{of}" if of and of not in unit else unit


def _find_requested_unit(sentence: str) -> str:
    """Return the unit of "in kg/m^3", of ", kg/m^3?" or of "(kg/m^3)?", or an empty text."""
    for place in re.finditer(r"\bin (?:units of )?(?=\S)", sentence):
        unit, end = read_unit(sentence, place.end())
        is_multiple = bool(unit) and "units of" in place.group()
        is_multiple |= unit == "g" and bool(_IN_GRAVITIES.match(sentence, end))
        is_sure = bool(_UNIT_ENDS.match(sentence, end)) or bool(
            _NAMED_BEFORE.search(sentence[: place.start()])
        )
        if unit and (is_multiple or is_sure):
            return "g_0" if is_multiple and unit == "g" else unit
    for place in _LAST_UNIT.finditer(sentence):
        unit, end = read_unit(sentence, place.end())
        if unit and _REQUEST_ENDS.match(sentence, end):
            return unit
    return ""


def _read_unit_alone(sentence: str) -> str:
    """Return the unit of a sentence that is nothing else, such as "kg/m^3 please."."""
    unit, end = read_unit(sentence, 0)
    return unit if unit and _REQUEST_ENDS.match(sentence, end) else ""

"""Which state the text calls by which number, judged by what it says about each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from ansatz.agents.slide_rule.procedures.mentions import Mention
from ansatz.agents.slide_rule.procedures.places import Place, best_agreement, place_in
from ansatz.agents.slide_rule.procedures.procedure import Procedure, Slot

_NUMBERED = re.compile(
    r"\b(?:state|point|station|stream)\s*(\d)s?\b|\((\d)\)|(?<![\w])[hsTPxv]_(\d)s?\b(?!\s*=\s*_)",
    re.IGNORECASE,
)
_CLEARLY = 1.02  # by how much two values differ that tell an order


def numbering(procedure: Procedure, text: str, stated: Sequence[Mention]) -> Mapping[str, str]:
    """The custom that agrees best with the text; the usual one where it says nothing."""
    if len(procedure.numberings) == 1:
        return procedure.numberings[0]
    stations = {slot.label: slot for slot in procedure.slots if slot.label}
    said = [(label, where) for label, where in _statements(text) if where]
    said += [(mention.label, mention.place) for mention in stated if mention.label and mention.place]
    numbered = [mention for mention in stated if mention.label]

    def merit(custom: Mapping[str, str]) -> float:
        agreed = sum(
            best_agreement(where, stations[custom.get(label, label)].places)
            for label, where in said
            if custom.get(label, label) in stations
        )
        pairs = combinations(numbered, 2)
        return agreed + sum(_in_order(one, other, custom, stations) for one, other in pairs)

    merits = [merit(custom) for custom in procedure.numberings]
    return procedure.numberings[merits.index(max(merits))]


def _statements(text: str) -> Iterator[tuple[str, Place]]:
    """Every "state 3", "(3)" or "h_3" with the place named right after it, or else before it."""
    for line in re.split(r"\n|(?<=\.)\s", text):
        found = list(_NUMBERED.finditer(line))
        for number, match in enumerate(found):
            end = found[number + 1].start() if number + 1 < len(found) else len(line)
            start = found[number - 1].end() if number else 0
            after = re.split(r"[,;]", line[match.end() : end])[0]
            before = line[start : match.start()]
            label = match[1] or match[2] or match[3]
            where = place_in(before) if match[2] else place_in(after) or place_in(before)
            yield label, {group: tag for group, tag in where.items() if group != "special"}


def _in_order(one: Mention, other: Mention, custom: Mapping[str, str], stations: Mapping[str, Slot]) -> float:
    """1 where two numbered values are in the order their states should have, -1 where they are not."""
    first, second = (stations.get(custom.get(each.label, each.label)) for each in (one, other))
    if one.kind != other.kind or not first or not second or one.kind not in ("pressure", "temperature"):
        return 0.0
    return in_order((one.value, first.rank), (other.value, second.rank))


def in_order(one: tuple[float, float], other: tuple[float, float]) -> float:
    """1 where the larger of two values has the higher rank, -1 where the lower; 0 where nothing is clear."""
    if one[1] == other[1] or max(one[0], other[0]) < _CLEARLY * min(one[0], other[0]):
        return 0.0
    return 1.0 if (one[0] > other[0]) == (one[1] > other[1]) else -1.0

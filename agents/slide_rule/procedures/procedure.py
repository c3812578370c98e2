"""Procedures as they are remembered: how a kind of device or cycle is worked through, step by step.

Each stands in a YAML file beside this one. The relations are those of Y. A. Cengel and M. A. Boles,
*Thermodynamics: An Engineering Approach* (steady-flow devices, chapter 5; entropy generation, 7; exergy, 8;
gas power, vapor and combined power, refrigeration cycles, 9 to 11), in kPa, K, kJ/kg and kW.

A quantity may have several ways; the first whose terms are known is taken. `when` names a habit of work
(see habits.py): someone who has it goes this way and no other. `unless` names one that rules a way out:
such a way is the short cut that comes to mind first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ansatz.agents.slide_rule.arithmetic import names_in
from ansatz.agents.slide_rule.procedures.places import Place, place

# Tried in this order; of two that explain a question equally well the earlier is taken.
NAMES = (
    "combined", "reheat", "regenerative", "rankine", "brayton", "refrigeration", "mixer", "exchanger",
    "boiler", "nozzle", "pump", "compressor", "turbine",
)  # fmt: skip


@dataclass(frozen=True)
class Way:
    expression: str
    when: str = ""
    unless: str = ""

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(names_in(self.expression))

    def open_to(self, habits: frozenset[str]) -> bool:
        return (not self.when or self.when in habits) and self.unless not in habits


@dataclass(frozen=True)
class Slot:
    """A quantity the text may state: its kind, the places it may be attached to, and its rank in size."""

    name: str
    kind: str
    places: tuple[Place, ...]
    rank: float = 0.0
    label: str = ""


@dataclass(frozen=True, eq=False)
class Procedure:
    """`isentropes` maps an ideal end state to its beginning, `streams` a stream to its states.

    `numberings` are customs of numbering states: the text's label -> the label used here.
    `called` maps other names of a state (`in`, `hot out`) to its label; `aliases` those of a quantity.
    `fluid` is what flows unless the text says otherwise.
    """

    name: str
    title: str
    words: re.Pattern[str]
    streams: Mapping[str, tuple[str, ...]]
    isentropes: Mapping[str, str]
    slots: tuple[Slot, ...]
    quantities: Mapping[str, tuple[Way, ...]]
    assumptions: Mapping[str, tuple[str, str]]
    numberings: tuple[Mapping[str, str], ...]
    called: Mapping[str, str]
    aliases: Mapping[str, str]
    abbreviations: Mapping[str, str]
    ignored: frozenset[str]
    flow: str
    described: Mapping[str, str]
    fluid: str

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for labels in self.streams.values() for label in labels)

    def stream_of(self, label: str) -> str:
        return next(stream for stream, labels in self.streams.items() if label in labels)


@cache
def procedures() -> tuple[Procedure, ...]:
    import yaml

    return tuple(
        _procedure(name, yaml.safe_load(Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")))
        for name in NAMES
    )


_STATE_KINDS = {"P": "pressure", "T": "temperature", "x": "quality", "h": "enthalpy", "V": "speed"}


def _procedure(name: str, sheet: Mapping[str, Any]) -> Procedure:
    stations: dict[str, dict[str, Any]] = sheet["stations"]
    isentropes: dict[str, str] = sheet.get("isentropes", {})
    slots = [
        Slot(f"{letter}_{label}", kind, _places(station.get("at", [])), float(station.get("rank", 0)), label)
        for label, station in stations.items()
        for letter, kind in _STATE_KINDS.items()
    ]
    slots += [
        Slot(key, slot["kind"], _places(slot.get("at", [])), float(slot.get("rank", 0)))
        for key, slot in sheet.get("givens", {}).items()
    ]
    labels = (*stations, *isentropes)
    return Procedure(
        name=name,
        title=sheet["title"],
        words=re.compile(sheet["words"], re.IGNORECASE),
        streams={stream: tuple(each) for stream, each in sheet.get("streams", {"main": labels}).items()},
        isentropes=isentropes,
        slots=tuple(slots),
        quantities={key: _ways(ways) for key, ways in sheet["quantities"].items()},
        assumptions={key: (str(taken[0]), taken[1]) for key, taken in sheet.get("assume", {}).items()},
        numberings=({}, *sheet.get("numberings", [])),
        called={
            " ".join(sorted(other.split())): label
            for label, station in stations.items()
            for other in station.get("called", [])
        },
        aliases=sheet.get("aliases", {}),
        abbreviations=sheet.get("abbreviations", {}),
        ignored=frozenset(sheet.get("ignore", [])),
        flow=sheet.get("flow", "m"),
        fluid=sheet["fluid"],
        described={label: ", ".join(station.get("at", [])[:1]) for label, station in stations.items()},
    )


def _places(texts: list[str]) -> tuple[Place, ...]:
    return tuple(place(text) for text in texts) or ({},)


def _ways(ways: Any) -> tuple[Way, ...]:
    listed = ways if isinstance(ways, list) else [ways]
    return tuple(
        Way(way["do"], way.get("when", ""), way.get("unless", "")) if isinstance(way, dict) else Way(str(way))
        for way in listed
    )

"""What is drawn, asked and told of each kind of cycle, as the YAML files beside this module have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Depth

DEPTHS: tuple[Depth, ...] = ("A", "B", "C")


@dataclass(frozen=True)
class Kind:
    """A kind of cycle. `draws` are lowest, highest and step of each given; `published` counts by depth."""

    fluid: str
    difficulty: Mapping[str, str]
    published: Mapping[str, int]
    draws: Mapping[str, tuple[float, float, float]]
    asks: tuple[str, ...]
    states: tuple[str, ...]
    components: tuple[str, ...]
    balances: tuple[str, ...] = ()

    def asked(self, depth: Depth) -> tuple[str, ...]:
        """Names of what a question of this depth asks for, in the published order."""
        names = list(self.asks)
        if depth != "A":
            names += [f"s{state}" for state in self.states]
            names += [f"s_gen_{component}" for component in (*self.components, "total")]
            names += self.balances
        if depth == "C":
            names += [f"ef{state}" for state in self.states]
            names += [f"x_dest_{component}" for component in (*self.components, "total")]
            names += self._second_law()
        return tuple(names)

    def _second_law(self) -> tuple[str, ...]:
        if "COP_R" in self.asks:
            return "COP_Carnot", "eta_II"
        return ("eta_II_combined",) if "eta_combined" in self.asks else ("eta_II",)


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind by its published name, such as RNK-A."""
    return {name: _kind(**fields) for name, fields in _read("kinds.yaml").items()}


def plant_phrasings(kind: str) -> tuple[str, ...]:
    """The plant and its givens, in words with placeholders."""
    return tuple(_phrasings()["plants"][kind])


def surroundings_phrasings(kind: str) -> tuple[str, ...]:
    """What heat comes from and goes to, in words with placeholders."""
    family = {"CCGT": "combined", "VCR-A": "refrigeration"}.get(kind, "power")
    return tuple(_phrasings()["surroundings"][family])


def task_phrasings(depth: Depth) -> tuple[str, ...]:
    """What is to be done."""
    return tuple(_phrasings()["tasks"][depth])


def conventions(kind: str, depth: Depth) -> tuple[str, ...]:
    """What a question of this kind and depth takes for agreed."""
    by_depth = _conventions()[kind]
    return tuple(text for each in DEPTHS if each <= depth for text in by_depth[each])


def _kind(**fields: Any) -> Kind:
    draws = {name: tuple(span) for name, span in fields.pop("draws").items()}
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return Kind(**(fields | lists), draws=draws)


@cache
def _phrasings() -> Any:
    return _read("phrasings.yaml")


@cache
def _conventions() -> Any:
    return _read("conventions.yaml")


def _read(name: str) -> Any:
    return yaml.safe_load((Path(__file__).parent / name).read_text(encoding="utf-8"))

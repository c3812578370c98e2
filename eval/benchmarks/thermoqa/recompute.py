"""The published keys recomputed: `python -m ansatz.eval.benchmarks.thermoqa.recompute FILE...`.

Every value of every question is computed anew by our own property code and balances, from the question's
givens. Tier 1 has to agree within 0.2 %, tiers 2 and 3 within 0.5 %; what does not is listed, with the
reason where recompute_exceptions.yaml (tiers 1 and 2) or the cycles' own table (tier 3) gives one.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.eval.benchmarks.thermoqa.components import COMPONENTS
from ansatz.eval.benchmarks.thermoqa.components.component import Media
from ansatz.knowledge_base.properties import ConstantHeatCapacityGas, State, Substance, substance

LIMITS = {1: 0.002, 2: 0.005, 3: 0.005}
"""Accepted relative deviation by tier."""

Value = float | str
Question = Mapping[str, Any]

_KELVIN = 273.15
_AIR_GAS_CONSTANT = 287.0  # J/(kg·K): the published key takes it even where the question is silent
_TIER_1 = {  # ending of a key: the property of a state, and its unit in SI
    **{"h_kJ_kg": ("h", 1e3), "u_kJ_kg": ("u", 1e3), "s_kJ_kgK": ("s", 1e3), "x": ("x", 1.0)},
    **{"v_m3_kg": ("v", 1.0), "rho_kg_m3": ("rho", 1.0), "P_kPa": ("P", 1e3), "T_C": ("T", 1.0)},
}


@dataclass(frozen=True)
class Item:
    """One value: as published, as recomputed, and why they differ where a reason is known."""

    id: str
    key: str
    published: Value
    ours: Value
    limit: float
    why: str = ""

    @property
    def deviation(self) -> float:
        """Relative to the published value; infinite for another phase."""
        if isinstance(self.published, str) or isinstance(self.ours, str):
            return 0.0 if self.published == self.ours else float("inf")
        difference = abs(self.ours - self.published)
        return difference / abs(self.published) if difference else 0.0

    @property
    def agrees(self) -> bool:
        return self.deviation <= self.limit


def compare(question: Question) -> Iterator[Item]:
    """Each value of a question's key beside our own."""
    ours, reasons = recompute(question), _explained(question["tier"])
    for key, expected in question["expected"].items():
        why = reasons.get((question["id"], key), "")
        yield Item(question["id"], key, expected["value"], ours[key], LIMITS[question["tier"]], why)


def recompute(question: Question) -> Mapping[str, Value]:
    """Our value for every key of a question, in the published unit."""
    if question["tier"] == 1:
        return _lookup(question)
    if question["tier"] == 2:
        return _component(question)
    from ansatz.eval.benchmarks.thermoqa.cycles.recompute import recompute_tier3

    return recompute_tier3(dict(question))


def _lookup(question: Question) -> dict[str, Value]:
    given = dict(question["given"])
    fluid = substance(given.pop("fluid"))
    inputs = dict(_si(key, value) for key, value in given.items())
    if len(inputs) == 1:  # on the saturation line, on the side that the symbols name
        inputs["x"] = 1.0 if any(re.match(r"[hsvu]_g_", key) for key in question["expected"]) else 0.0
    at = fluid.state(**inputs)
    return {key: _property(key, at) for key in question["expected"]}


def _si(key: str, value: float) -> tuple[str, float]:
    symbol, factor = _TIER_1[key]
    return symbol, value + _KELVIN if symbol == "T" else value * factor


def _property(key: str, at: State) -> Value:
    """T_sat_C is a T_C, and h_f_kJ_kg the h_kJ_kg of a state on the saturation line."""
    if key == "phase_name":
        return at.phase
    symbol, factor = _TIER_1[re.sub(r"_(?:sat|f|g)(?=_)", "", key)]
    value = float(getattr(at, symbol))
    return value - _KELVIN if symbol == "T" else value / factor


def _component(question: Question) -> dict[str, Value]:
    given = {key: value for key, value in question["given"].items() if key != "fluid"}
    inputs = dict(_component_si(key, value, question["question"]) for key, value in given.items())
    found = COMPONENTS[question["component"]].solve(_media(question), inputs)
    kelvin = {key for key, expected in question["expected"].items() if expected["unit"] == "K"}
    return {key: value + _KELVIN if key in kelvin else value for key, value in found.items()}


def _component_si(key: str, value: float, text: str) -> tuple[str, float]:
    """A published T1_C is in kelvin where the question says so."""
    symbol = re.sub(r"_(?:C|K|MPa)$", "", key)
    if key.endswith("_MPa"):
        return symbol, value * 1e6
    if not symbol.startswith("T") or key.endswith("_K") or f"{value} K" in text:
        return symbol, value
    return symbol, value + _KELVIN


def _media(question: Question) -> Media:
    if question["fluid"] != "Air":
        return Media(working=substance(question["fluid"]), heating=substance("water"))
    exact = "R = c_p(k − 1)/k" in question["question"]
    air = Substance(ConstantHeatCapacityGas(stated_gas_constant=None if exact else _AIR_GAS_CONSTANT))
    return Media(working=air, heating=air)


@cache
def _explained(tier: int) -> Mapping[tuple[str, str], str]:
    if tier == 3:
        from ansatz.eval.benchmarks.thermoqa.cycles.recompute import EXPLAINED

        return EXPLAINED
    text = Path(__file__).with_name("recompute_exceptions.yaml").read_text(encoding="utf-8")
    return {(entry["id"], entry["item"]): entry["why"] for entry in yaml.safe_load(text)}


def main(arguments: list[str] | None = None) -> int:
    """Print what deviates and a line for each tier; 1 if anything does so without a reason."""
    parser = argparse.ArgumentParser(prog="python -m ansatz.eval.benchmarks.thermoqa.recompute")
    parser.add_argument("files", nargs="+", type=Path, help="published question files (JSONL)")
    parser.add_argument("--json", action="store_true", help="print every item as JSON")
    options = parser.parse_args(arguments)
    items: dict[int, list[Item]] = {}
    try:
        for tier, item in _compared(options.files):
            items.setdefault(tier, []).append(item)
    except (OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([_row(one) for found in items.values() for one in found], ensure_ascii=False))
    else:
        _print_table(items)
    return int(any(not one.agrees and not one.why for found in items.values() for one in found))


def _compared(files: list[Path]) -> Iterator[tuple[int, Item]]:
    """Every item with its tier; ValueError names the file and line of a question that cannot be read."""
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
            if not line.strip():
                continue
            try:
                question = json.loads(line)
                yield from ((question["tier"], item) for item in compare(question))
            except KeyError as missing:
                raise ValueError(f"{file}:{number}: there is no {missing}") from missing
            except ValueError as problem:
                raise ValueError(f"{file}:{number}: {problem}") from problem


def _row(item: Item) -> dict[str, Any]:
    return asdict(item) | {"deviation": item.deviation, "agrees": item.agrees}


def _print_table(items: Mapping[int, list[Item]]) -> None:
    for tier, found in sorted(items.items()):
        apart = [one for one in found if not one.agrees]
        for one in apart:
            shown = f"{one.id} {one.key}: published {one.published}, ours {_shown(one.ours)}"
            print(f"{shown} ({one.deviation:.2%}): {one.why or 'NOT EXPLAINED'}")
        worst = max((one.deviation for one in found if one.agrees), default=0.0)
        print(
            f"tier {tier}: {len(found)} values, {len(found) - len(apart)} within {LIMITS[tier]:.1%}"
            f" (largest deviation of these {worst:.3%}), {len(apart)} beyond"
        )


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


if __name__ == "__main__":
    sys.exit(main())

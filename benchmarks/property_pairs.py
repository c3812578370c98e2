"""Check the states that property pairs lead to against direct CoolProp calls.

    python benchmarks/property_pairs.py [--states 2000] [--seed 1]

Draws states of water (both formulations), R134a and real air: two-phase, compressed liquid, superheated and
supercritical. Each of the 15 pairs of T, P, h, s, v and u is given to `state`. A pair leads to the same state
(right), names that state next to another one (named), or is refused. A state that differs from the
one drawn is an error, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import math
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations
from typing import Any

from ansatz.errors import AmbiguousStateError, PropertyError
from ansatz.knowledge_base.properties import state

# Name here, CoolProp backend and fluid, share of the states, highest temperature (K) and pressure (Pa) drawn.
FLUIDS = {
    "water": ("HEOS", "Water", 0.5, 1273.0, 500e6),
    "water (IF97)": ("IF97", "Water", 0.15, 1073.0, 100e6),
    "R134a": ("HEOS", "R134a", 0.2, 450.0, 60e6),
    "air (real gas)": ("HEOS", "Air", 0.15, 1500.0, 500e6),
}
PAIRS = ["".join(pair) for pair in combinations("TPhsvu", 2)]
SAME = 1e-4
OUTCOMES = ("right", "named", "not solved", "no state", "T and P", "another")


@cache
def _direct(fluid: str) -> tuple[Any, Any]:
    from CoolProp import CoolProp

    return CoolProp, CoolProp.AbstractState(*FLUIDS[fluid][:2])


def draw_state(fluid: str, draw: random.Random) -> dict[str, float] | None:
    """Return a state from CoolProp directly, in SI units; None if there is none."""
    coolprop, at = _direct(fluid)
    *_, hottest, highest = FLUIDS[fluid]
    critical, lowest = at.T_critical(), max(at.Ttriple(), at.Tmin()) + 0.1
    region = draw.choice(["two-phase", "compressed", "superheated", "supercritical"])
    T = draw.uniform(lowest, critical - 0.5) if region != "supercritical" else draw.uniform(critical, hottest)
    try:
        if region == "two-phase":
            at.update(coolprop.QT_INPUTS, draw.random(), T)
        elif region == "supercritical":
            at.update(coolprop.PT_INPUTS, math.exp(draw.uniform(math.log(1e3), math.log(highest))), T)
        else:
            at.update(coolprop.QT_INPUTS, 0.0 if region == "compressed" else 1.0, T)
            low, high = (at.p(), highest) if region == "compressed" else (100.0, at.p())
            at.update(coolprop.PT_INPUTS, math.exp(draw.uniform(math.log(low), math.log(high))), T)
        return read_state(fluid)
    except (ValueError, IndexError):
        return None


def read_state(fluid: str) -> dict[str, float]:
    _, at = _direct(fluid)
    h, s = at.hmass(), at.smass()
    shift_h, shift_s = _zero(fluid)
    return {
        **{"T": at.T(), "P": at.p(), "h": h + shift_h, "s": s + shift_s},
        **{"v": 1 / at.rhomass(), "u": at.umass() + shift_h, "x": at.Q()},
    }


@cache
def _zero(fluid: str) -> tuple[float, float]:
    """Return the shift of CoolProp's h and s of R134a to 200 kJ/kg and 1 kJ/(kg·K) at 0 °C."""
    if fluid != "R134a":
        return 0.0, 0.0
    from CoolProp import CoolProp

    at = CoolProp.AbstractState("HEOS", "R134a")
    at.update(CoolProp.QT_INPUTS, 0.0, 273.15)
    return 200e3 - at.hmass(), 1000.0 - at.smass()


def is_same(found: Mapping[str, float], drawn: Mapping[str, float]) -> bool:
    """Whether a state agrees with the sampled one."""
    floor = {"h": 1e4, "u": 1e4, "s": 10.0, "x": 1e-2}
    stated = {("v" if symbol == "rho" else symbol): value for symbol, value in found.items()}
    if "rho" in found:
        stated["v"] = 1 / found["rho"]
    return all(
        abs(value - drawn[symbol]) <= SAME * max(abs(drawn[symbol]), floor.get(symbol, 0.0))
        for symbol, value in stated.items()
    )


def check_pair(fluid: str, pair: str, drawn: Mapping[str, float]) -> str:
    """Return one of OUTCOMES."""
    try:
        found = state(fluid, **{symbol: drawn[symbol] for symbol in pair})
    except AmbiguousStateError as problem:
        return "named" if any(is_same(each, drawn) for each in problem.states) else "another"
    except PropertyError as problem:
        if "saturation line" in str(problem):
            return "T and P"
        return "not solved" if "cannot be solved" in str(problem) else "no state"
    if is_same({symbol: getattr(found, symbol) for symbol in "TPhsvu"}, drawn):
        return "right"
    return "named" if any(is_same({"P": twin}, drawn) for twin in found.twin_pressures) else "another"


def check_pairs(fluid: str, pair: str, states: int, seed: int) -> tuple[str, str, Counter[str], list[str]]:
    """Return the outcomes of one pair of one fluid, and the inputs that gave another state or none."""
    draw = random.Random(f"{fluid} {pair} {seed}")
    counts: Counter[str] = Counter()
    examples = []
    while counts.total() < states:
        drawn = draw_state(fluid, draw)
        if drawn is None:
            continue
        outcome = check_pair(fluid, pair, drawn)
        counts[outcome] += 1
        if outcome in ("another", "no state", "not solved"):
            shown = ", ".join(f"{symbol}={drawn[symbol]:.8g}" for symbol in "TPhsvux")
            examples.append(f"{outcome}: {fluid} {pair}: {shown}")
    return fluid, pair, counts, examples


def rows(states: int, seed: int) -> Iterator[tuple[str, str, Counter[str], list[str]]]:
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        jobs = [
            pool.submit(check_pairs, fluid, pair, round(states * share), seed)
            for pair in PAIRS
            for fluid, (_, _, share, _, _) in FLUIDS.items()
        ]
        yield from (job.result() for job in jobs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--states", type=int, default=2000, help="states for each pair, over all fluids")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=0, help="how many failures of each row to print")
    options = parser.parse_args()
    print(f"{'fluid':16}pair  " + "".join(f"{name:>12}" for name in OUTCOMES))
    total: Counter[str] = Counter()
    for fluid, pair, counts, examples in rows(options.states, options.seed):
        print(f"{fluid:16}{pair:6}" + "".join(f"{counts[name]:12}" for name in OUTCOMES), flush=True)
        for line in examples[: options.examples]:
            print(f"    {line}")
        total += counts
    print(f"{'all':22}" + "".join(f"{total[name]:12}" for name in OUTCOMES))
    return 1 if total["another"] else 0


if __name__ == "__main__":
    raise SystemExit(main())

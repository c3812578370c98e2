"""Generated cycle questions of any kind, and the cycles behind them."""

from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa.cycles import TIER
from ansatz.eval.benchmarks.thermoqa.cycles.givens import cycle

SLOTS = (*TIER.published, *TIER.further)
SEEDS = st.integers(0, 10**9)


def slots(kinds="", depths="ABC"):
    """Any slot of these kinds (all, or by the start of their names) and depths."""
    return st.sampled_from(
        [
            (kind, depth)
            for kind, depth in SLOTS
            if kind.startswith(tuple(kinds.split(" "))) and depth in depths
        ]
    )


def asked(slot, seed):
    return TIER.question(seed, SLOTS.index(slot), "even")


def solved(question):
    """The cycle behind a question, its states, its key in SI units and its givens."""
    numbers = {name: value for name, value in question.given.items() if isinstance(value, float)}
    made = cycle(question.kind, numbers)
    scale = {"kJ/kg": 1e3, "kJ/(kg*K)": 1e3, "kW": 1e3}
    key = {one.name: one.value * scale.get(one.unit, 1.0) for one in question.expected}
    return made, made.states(), key, numbers

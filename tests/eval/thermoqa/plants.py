"""Generated questions of tiers 2 and 3, and the plants behind them."""

from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa.generate import order, question
from ansatz.eval.benchmarks.thermoqa.pages import pages
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.eval.benchmarks.thermoqa.plant_questions import media
from ansatz.eval.benchmarks.thermoqa.published_names import Given
from ansatz.knowledge_base.properties import substance

CYCLES = order(3, "even")
SEEDS = st.integers(0, 10**9)
PER_KIND = 3


def slots(kinds="", depths="ABC"):
    """Any slot of these cycles (all, or by the start of their names) and depths."""
    starts = tuple(kinds.split(" "))
    return st.sampled_from([slot for slot in CYCLES if slot[0].startswith(starts) and slot[1] in depths])


def asked(slot, seed):
    [place] = [place for place, each in enumerate(CYCLES) if each[:2] == slot[:2]]
    return question(3, CYCLES[place], seed, place)


def solved(question):
    """The plant of a question, made from its published givens alone, and its key in SI units by symbol."""
    page = pages(question.tier)[question.kind]
    given = [Given(*each) for each in question.given.items() if isinstance(each[1], float)]
    plant = Plant(page, {each.symbol: each.si for each in given}, media(question.tier, page, question.fluid))
    scale = {"kJ/kg": 1e3, "kJ/(kg*K)": 1e3, "kW": 1e3, "kW/K": 1e3}
    zero = {"C": 273.15}
    return plant, {
        name: each.value * scale.get(each.unit, 1.0) + zero.get(each.unit, 0.0)
        for name, each in question.expected.items()
    }


def cycle(kind, **given):
    """A plant of tier 3 from SI givens; `main` and `steam` put other fluids in place of the page's own."""
    page = pages(3)[kind]
    fluids = {role: given.pop(role, None) or substance(name) for role, name in page.media.items()}
    return Plant(page, given, fluids)

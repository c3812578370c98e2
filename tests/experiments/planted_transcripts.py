"""200 attempts whose use of each tool result is known, because the attempt was written for it.

Nothing here imports the classifier or its parts. An attempt is a conversation in OpenAI's form, as the ledger
stores it, with the fields that are expected of some of its calls.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.experiments.planted_conversation import Conversation, Expected, Planted, heat, python, state

Story = Callable[[random.Random], tuple[Conversation, str, Expected]]
USED: dict[str, Any] = {"use": "used", "redundant": False}


# Used


def in_an_equation(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    forms = (
        f"Q = m h = {m} * {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ",
        f"The enthalpy is {h:,} kJ/kg, so the heat is\n$Q = {m} \\times {h} = {m * h:.1f}$ kJ.\n\n**Q = {m * h:.1f} kJ**",
        f"1. h = {h:.0f} kJ/kg\n2. Q = {m} kg · {h:.0f} kJ/kg = {m * round(h):.0f} kJ\n\nQ = {m * round(h):.0f} kJ",
    )
    return talk, draw.choice(forms), {1: USED | {"in_answer": True, "decisive": True}}


def as_the_answer(draw: random.Random) -> tuple[Conversation, str, Expected]:
    speed = draw.uniform(310.0, 990.0)
    talk = Conversation("How fast is sound in the gas at 612 K?", speed, "m/s", "c")
    talk.ask(python("print((1.4*287*612)**0.5)", f"{speed!r}\n"))
    shown = draw.choice([f"{speed:.2f}", f"{speed:.1f}", f"{speed:.5g}", f"{speed / 100:.4f}e2"])
    answer = f"The speed of sound follows from the ideal gas.\n\nc = {shown} m/s"
    return talk, answer, {1: USED | {"in_answer": True, "decisive": True}}


def one_of_several_values(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    liquid = round(draw.uniform(410.0, 690.0), 2)
    result = {"T_sat": round(draw.uniform(381, 460), 2), "h_f": liquid, "h_g": h, "P_sat": 0.2712}
    talk.ask(("saturation_state", {"fluid": "water"}, json.dumps(result)))
    answer = f"With h_g = {h} kJ/kg the heat is Q = {m} x {h} = {m * h:.5g} kJ.\n\nQ = {m * h:.5g} kJ"
    return talk, answer, {1: USED | {"in_answer": True}}


def in_a_later_call(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    talk.ask(python(f"m = {m}\nh = {h}\nprint(m * h)", f"{m * h!r}"))
    answer = f"Q = {m * h:.1f} kJ"
    return talk, answer, {1: USED | {"in_answer": True}, 2: USED | {"decisive": True}}


def in_tex(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    answer = (
        f"$$h = {h / 1000:.4f} \\times 10^{{3}}\\,\\mathrm{{kJ/kg}}$$\n"
        f"$$Q = m h = {m * h:.1f}\\,\\mathrm{{kJ}}$$\n\nQ = {m * h:.1f} kJ"
    )
    return talk, answer, {1: {"redundant": False, "in_answer": True}}


def as_a_word(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk = Conversation("Water is at 2 bar with 1200 kJ/kg. Which phase, and what is x?", 0.315, "-", "x")
    phase = draw.choice(["two-phase", "supercritical", "superheated"])
    talk.ask(state(f"phase = {phase}"))
    return talk, f"The state is {phase}, so the lever rule holds.\n\nx = 0.315", {1: USED}


def truncated(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    exact = h + draw.choice([0.067, 0.078, 0.089])
    talk.ask(state(f"h = {exact:.3f} kJ/kg"))
    return talk, f"h ≈ {h} kJ/kg and Q = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ", {1: USED}


def with_a_wrong_end(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    wrong = m * h * 1.37
    answer = f"Q = 1.37 * {m} * {h} = {wrong:.1f} kJ\n\nQ = {wrong:.1f} kJ"
    return talk, answer, {1: USED | {"in_answer": True, "right": False, "decisive": False}}


def without_working(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    return talk, f"Q = {m * h:.2f} kJ", {1: {"in_answer": True, "redundant": False}}


# Converted


def to_another_unit(draw: random.Random) -> tuple[Conversation, str, Expected]:
    value = round(draw.uniform(1.131, 8.979), 3)
    pairs = (
        (f"P = {value * 1e5:.0f} Pa", f"{value} bar", value, "bar"),
        (f"P = {value * 100:.1f} kPa", f"{value / 10:.4f} MPa", value / 10, "MPa"),
        (f"h = {value * 1000:.0f} kJ/kg", f"{value} MJ/kg", value, "MJ/kg"),
        (f"d = {value * 10:.2f} mm", f"{value / 100:.5f} m", value / 100, "m"),
        (f"v = {value * 10:.2f} m/s", f"{value * 36:.1f} km/h", value * 36, "km/h"),
        (f"T = {273.15 + value * 50:.2f} K", f"{value * 50:.1f} °C", value * 50, "degC"),
        (f"m = {value:.3f} kg", f"{value / 0.45359237:.3f} lb", value / 0.45359237, "lb"),
    )
    told, shown, right, unit = draw.choice(pairs)
    talk = Conversation("What does the instrument show?", right, unit, "Y")
    talk.ask(state(told))
    return talk, f"The table is in other units.\n\nY = {shown}", {1: {"use": "converted", "in_answer": True}}


def from_a_bare_number(draw: random.Random) -> tuple[Conversation, str, Expected]:
    value = draw.uniform(1.131, 8.979)
    pairs = (
        (value * 1e3, f"{value:.4f} kPa", value, "kPa"),
        (value * 1e6, f"{value:.3f} MW", value, "MW"),
        (value / 10, f"{value * 10:.2f} %", value * 10, "%"),
        (value / 10, f"{value * 18 / 3.141592653589793:.2f}°", value * 18 / 3.141592653589793, "deg"),
        (value / 100, f"{value * 10:.3f} mm", value * 10, "mm"),
    )
    printed, shown, right, unit = draw.choice(pairs)
    talk = Conversation("What comes out?", right, unit, "Y")
    talk.ask(python("print(y)", f"{printed!r}"))
    return talk, f"In the unit of the question this is {shown}.\n\nY = {shown}", {1: {"use": "converted"}}


# Copied wrongly


def garbled(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, _ = heat(draw)
    digits = draw.choice(["2483.7", "2516.8", "2739.4", "2861.3"])
    talk.ask(state(f"h = {digits} kJ/kg"))
    wrong = draw.choice(
        [
            digits[0] + digits[2] + digits[1] + digits[3:],  # two digits are swapped
            digits[:2] + str((int(digits[2]) + 4) % 10) + digits[3:],  # one digit is another
            digits[:2] + digits[3:],  # one digit is lost
            f"{float(digits) / 10:.2f}",  # the point has moved
        ]
    )
    product = m * float(wrong)
    answer = (
        f"The tool gives h = {wrong} kJ/kg.\nQ = {m} · {wrong} = {product:.1f} kJ\n\nQ = {product:.1f} kJ"
    )
    return talk, answer, {1: {"use": "copied wrongly", "decisive": False}}


def in_the_wrong_unit(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    wrong = m * h / 1000
    answer = f"h = {h} J/kg, so Q = {m} · {h} / 1000 = {wrong:.3f} kJ\n\nQ = {wrong:.3f} kJ"
    return talk, answer, {1: {"use": "copied wrongly"}}


def without_its_sign(draw: random.Random) -> tuple[Conversation, str, Expected]:
    value = round(draw.uniform(112.0, 980.0), 2)
    talk = Conversation("What is the heat of the reaction?", -value, "kJ", "H")
    talk.ask(("reaction", {"name": "r"}, f"H = -{value} kJ"))
    return talk, f"The reaction takes up heat.\n\nH = {value} kJ", {1: {"use": "copied wrongly"}}


def under_another_name(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    liquid = round(draw.uniform(410.0, 690.0), 2)
    talk.ask(("saturation_state", {"fluid": "water"}, f"h_f = {liquid} kJ/kg\nh_g = {h} kJ/kg"))
    wrong = m * liquid
    answer = f"h_g = {liquid} kJ/kg\nQ = {m} * {liquid} = {wrong:.1f} kJ\n\nQ = {wrong:.1f} kJ"
    return talk, answer, {1: {"use": "copied wrongly"}}


# Ignored


def own_value(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    own = 2257 if h > 2400 else 2501
    answer = f"From memory, evaporation takes {own} kJ/kg: Q = {m} · {own} = {m * own:.0f} kJ\n\nQ = {m * own:.0f} kJ"
    return talk, answer, {1: {"use": "ignored", "in_answer": False, "decisive": False}}


def given_up(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, _, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    return talk, "I cannot determine the heat from these data.", {1: {"use": "ignored", "in_answer": False}}


def another_tool_wins(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    volume = round(draw.uniform(0.1133, 0.8877), 4)
    talk.ask(state(f"v = {volume} m^3/kg", properties=["v"]), state(f"h = {h} kJ/kg"))
    answer = f"Q = m h = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ"
    return talk, answer, {1: {"use": "ignored"}, 2: USED | {"decisive": True}}


# Redundant


def asked_twice(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg", second="P = 2 bar"))
    talk.ask(state(f"h = {h} kJ/kg", second=draw.choice(["P = 2 bar", "P = 2.0 bar", "P = 200 kPa"])))
    answer = f"Q = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ"
    return talk, answer, {1: USED, 2: {"redundant": True}}


def known_from_another_tool(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(("saturation_state", {"fluid": "water"}, f"h_f = 504.7 kJ/kg, h_g = {h} kJ/kg"))
    talk.ask(state(f"h = {h} kJ/kg"))
    answer = f"Q = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ"
    return talk, answer, {1: USED, 2: {"redundant": True}}


def worked_out_before(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, _ = heat(draw)
    h = round(draw.uniform(2310.0, 2890.0), 1)
    talk = Conversation(f"Heat {m} kg with {h} kJ/kg. Q = ___ kJ", m * h, "kJ")
    before = f"Q = {m} · {h} = {m * h:.2f} kJ. I check this."
    talk.ask(python(f"print({m} * {h})", f"{m * h:.2f}"), text=before)
    return talk, f"The check agrees.\n\nQ = {m * h:.2f} kJ", {1: {"redundant": True, "decisive": False}}


# Errors


def tried_again(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    error = draw.choice(
        ["Error: unknown unit 'bars'", "Error: bad arguments: first: Field required", "Error: x and T given"]
    )
    talk.ask(state(error, second="P = 2 bars"), ok=False)
    talk.ask(state(f"h = {h} kJ/kg", second="P = 2 bar"), text="I correct the unit.")
    answer = f"Q = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ"
    return talk, answer, {1: {"use": "failed", "recovered": "by a retry"}, 2: USED | {"decisive": True}}


def by_another_tool(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state("Error: no such fluid"), ok=False)
    talk.ask(python("print(PropsSI('H', 'P', 2e5, 'Q', 1, 'Water'))", f"{h * 1000:.1f}"))
    answer = f"h = {h} kJ/kg\nQ = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ"
    return talk, answer, {1: {"use": "failed", "recovered": "by another tool"}}


def by_hand(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    printed = "Traceback (most recent call last):\n  File \"a.py\"\nNameError: name 'h' is not defined"
    talk.ask(python("print(m * h)", printed), ok=draw.choice([True, False]))
    answer = f"By hand: Q = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ"
    return talk, answer, {1: {"use": "failed", "recovered": "by hand"}}


def not_recovered(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, *_ = heat(draw)
    error = draw.choice(["Error: no such fluid", '{"error": "timeout"}'])
    talk.ask(state(error), ok=error.startswith("{"))
    return talk, "The tool does not work, so I give no value.", {1: {"use": "failed", "recovered": None}}


# In doubt


def a_small_number(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk = Conversation("How many stages, and what work?", 214.7, "kJ", "W")
    count = draw.choice(["2", "3", "4"])
    talk.ask(python("print(n)", count))
    answer = f"In {count} steps:\n1. Compress.\n2. Cool.\n3. Compress.\n4. Store.\n\nW = 214.7 kJ"
    return talk, answer, {1: {"use": "unknown"}}


def prose_without_trace(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    page = "Wet steam consists of droplets in vapour. Its quality is the share of vapour."
    talk.ask(("search_handbook", {"query": draw.choice(["wet steam", "quality"])}, page))
    answer = f"Q = {m} · {h} = {m * h:.1f} kJ\n\nQ = {m * h:.1f} kJ"
    return talk, answer, {1: {"use": "unknown"}}


def outside_the_conversation(draw: random.Random) -> tuple[Conversation, str, Expected]:
    talk, m, h = heat(draw)
    talk.ask(state(f"h = {h} kJ/kg"))
    talk.messages = []  # the call belongs to a draft that was not chosen
    return talk, f"Q = {m * h * 0.9:.1f} kJ", {1: {"use": "unknown", "in_answer": None}}


STORIES: dict[Story, int] = {
    in_an_equation: 14,
    as_the_answer: 12,
    one_of_several_values: 8,
    in_a_later_call: 8,
    in_tex: 6,
    as_a_word: 4,
    truncated: 6,
    with_a_wrong_end: 6,
    without_working: 6,
    to_another_unit: 18,
    from_a_bare_number: 10,
    garbled: 16,
    in_the_wrong_unit: 5,
    without_its_sign: 4,
    under_another_name: 5,
    own_value: 8,
    given_up: 4,
    another_tool_wins: 8,
    asked_twice: 8,
    known_from_another_tool: 5,
    worked_out_before: 5,
    tried_again: 10,
    by_another_tool: 5,
    by_hand: 4,
    not_recovered: 4,
    a_small_number: 4,
    prose_without_trace: 4,
    outside_the_conversation: 3,
}


def plant(seed: int = 0) -> Iterator[Planted]:
    """Yield the 200 attempts; the seed draws their numbers and their wording."""
    for story, count in STORIES.items():
        for number in range(count):
            talk, answer, expected = story(random.Random(f"{seed}/{story.__name__}/{number}"))
            yield Planted(story.__name__, talk.problem, talk.finish(answer), expected)

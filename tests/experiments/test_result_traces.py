"""What becomes of a tool result that is short, garbled, rounded, in words, or only a check."""

import asyncio
import json
from typing import NamedTuple

import pytest

from ansatz.eval.answer_files import Answer
from ansatz.experiments.imported_answers import score_imported_answers


class Talk(NamedTuple):
    """A question, the text with each call and its result, the answer, and what is expected of the last call."""

    question: str
    calls: list[tuple[str, dict[str, object], str]]
    answer: str
    target: object
    expected: dict[str, object]
    text: str = ""


def look_up(result: str, **arguments: object) -> list[tuple[str, dict[str, object], str]]:
    return [("look_up", arguments, result)]


TALKS = {
    "decimal commas": Talk(
        "Wärmestrom bei 8,5 W/m²K?",
        look_up("12.84"),
        "ΔT = 12,84 K, also Q = 8,5 · 2 · 12,84 = 218,3 W",
        "218.3 W",
        {"use": "used", "in_answer": True},
    ),
    "a conductivity of two digits": Talk(
        "Heat flux through 3 mm with 20 K?",
        look_up("k: 0.55 W/(m K)"),
        "q = 0.55·20/0.003 = 3667 W/m²",
        "3667 W/m^2",
        {"use": "used", "in_answer": True},
    ),
    "a short number of another source": Talk(
        "Flux for k = 0.55 W/(m K), 3 mm and 20 K?",
        look_up("a: 0.55 mm"),
        "q = 0.55·20/0.003 = 3667 W/m²",
        "3667 W/m^2",
        {"use": "unknown"},
    ),
    "rounded to two digits": Talk(
        "Laminar or turbulent?",
        look_up("77354.29"),
        "Re ≈ 7.7e4, so the flow is turbulent",
        "7.7e4 -",
        {"use": "used", "converted": True},
    ),
    "swapped digits": Talk(
        "Power for 4.68 kg/s?",
        look_up("h1 = 3240.1 kJ/kg; h2 = 2547.5 kJ/kg"),
        "w = h₁ − h₂ = 3420.1 − 2547.5 = 872.6 kJ/kg\n\nP = 4.68 × 872.6 = 4083.8 kW",
        "3241 kW",
        {"use": "copied wrongly"},
    ),
    "swapped digits of a short number": Talk(
        "Mass of 0.12 m³?",
        look_up("Density: 879 kg/m³"),
        "With ρ = 897 kg/m³, m = 0.12·897 = 107.6 kg",
        "105.5 kg",
        {"use": "copied wrongly", "in_answer": True},
    ),
    "a code": Talk(
        "Which steel is part 7?",
        look_up("bracket, left: material EN 10025 S355J2, 10 mm"),
        "Part 7 is made from S355J2.",
        {"kind": "label", "value": "S355J2"},
        {"use": "used", "in_answer": True},
    ),
    "a check that is mentioned": Talk(
        "Torque of 7500 W at 151.84 rad/s?",
        look_up("49.3941"),
        "The tool agrees: T = 49.4 N·m",
        "49.4 N*m",
        {"use": "used", "redundant": True, "in_answer": None},
        "T = 7500/151.84 = 49.39 N·m",
    ),
    "a second quantity of the answer": Talk(
        "Volume and mass of a 2 m³ drum?",
        [*look_up("0.605761"), ("divide", {"by": 0.605761}, "3.30163761")],
        "m = 3.302 kg and v = 0.6058 m³/kg",
        "0.6058 m^3/kg",
        {"use": "used", "in_answer": True},
    ),
    "an outcome on the line": Talk(
        "COP?",
        look_up("q = 134.07, w = 27.475"),
        "q = 134.07 and w = 27.475 → COP = 4.88",
        "4.88 -",
        {"use": "used", "in_answer": True},
    ),
    "parallel calls that follow each other": Talk(
        "Speed in km/s and in mph?",
        [*look_up("8.9286106"), ("convert", {"value": 8.9286106}, "19972.71")],
        "v = 8.929 km/s = 19973 mph",
        "8.929 km/s",
        {"use": "used", "redundant": False},
    ),
    "a message of the system": Talk(
        "Power?", look_up("permission denied"), "I cannot read it.", "12 kW", {"use": "failed"}
    ),
    "a status of HTTP": Talk("Loss?", look_up('{"status": 500}'), "None.", "12 kW", {"use": "failed"}),
    "no hits": Talk("Velocity?", look_up("(no hits)"), "v = 3.359 km/s", "3.359 km/s", {"use": "ignored"}),
    "no error and no value": Talk(
        "Safe?", look_up('{"error": null, "value": null}'), "P = 12 bar", "12 bar", {"use": "ignored"}
    ),
    "a value of a long table": Talk(
        "Enthalpy at 437 K?",
        look_up("\n".join(f"{kelvin} K: {1000.1 + 1.37 * kelvin:.2f} kJ/kg" for kelvin in range(300, 2300))),
        "h = 1598.79 kJ/kg",
        "1598.79 kJ/kg",
        {"use": "used", "in_answer": True},
    ),
    "quoted identifiers": Talk(
        "Which entries?",
        look_up("fin.tip_loss, gas.sound_speed, heat.plane_wall, pipe.entry_length, wave.shock_angle"),
        "wave.shock_angle, pipe.entry_length, heat.plane_wall, gas.sound_speed, fin.tip_loss: Q = 77.3 kJ",
        "77.3 kJ",
        {"use": "used"},
    ),
    "nothing of a long table": Talk(
        "Enthalpy at 437 K?",
        look_up("\n".join(f"{kelvin} K: {1000.1 + 1.37 * kelvin:.2f} kJ/kg" for kelvin in range(300, 2300))),
        "h = 77.31 kJ/kg",
        "77.31 kJ/kg",
        {"use": "unknown"},
    ),
}


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    answers = [
        Answer(problem_id=name, question=talk.question, text=talk.answer, target=talk.target, model="m",
               arm="tools", messages=write_messages(talk))
        for name, talk in TALKS.items()
    ]  # fmt: skip
    run = asyncio.run(score_imported_answers(answers, (), tmp_path_factory.mktemp("talks")))
    return run.tool_calls()


def write_messages(talk: Talk) -> list[dict[str, object]]:
    asked = [
        {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for at, (name, arguments, _) in enumerate(talk.calls)
    ]
    return [
        {"role": "user", "content": talk.question},
        {"role": "assistant", "content": talk.text, "tool_calls": asked},
        *(
            {"role": "tool", "tool_call_id": f"c{at}", "content": result}
            for at, (_, _, result) in enumerate(talk.calls)
        ),
        {"role": "assistant", "content": talk.answer},
    ]


@pytest.mark.parametrize("name", TALKS)
def test_trace_of_a_result(name, calls):
    found = calls.filter(problem=name).to_dicts()[-1]
    expected = TALKS[name].expected
    assert {field: found[field] for field in expected} == expected


def test_places_are_in_the_order_of_the_text(calls):
    [places] = calls.filter(problem="quoted identifiers")["places"]
    texts = [each["text"] for each in json.loads(places)]
    assert texts == sorted(texts, reverse=True) and len(texts) == 5

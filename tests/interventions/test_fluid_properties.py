"""The property tools as a model uses them."""

import asyncio
import subprocess
import sys

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import AgentPlan, Question, run_agent
from ansatz.errors import PropertyError
from ansatz.interventions.fluid_properties import FluidProperties
from tests.fakes.scripted_model import ScriptedModel

STATE = {"fluid": "water", "first": "T = 291.0°C", "second": "P = 11200 kPa", "properties": ["h", "s", "v"]}


async def outcome(name, arguments, **settings):
    call = {"name": name, "args": arguments, "id": "1"}
    model = ScriptedModel(replies=[AIMessage("", tool_calls=[call]), AIMessage("done")])
    plan = FluidProperties(**settings).apply(AgentPlan().instruct("Solve."))
    [record] = (await run_agent(plan, Question("What is h?"), model)).tool_calls
    return record


def state(fluid, first, second, *properties):
    return {"fluid": fluid, "first": first, "second": second, "properties": list(properties)}


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (STATE, ["h = 1292.49 kJ/kg", "s = 3.15648 kJ/(kg*K)", "v = 0.00135709 m^3/kg"]),
        (
            state("steam", "P = 2800 kPa", "h = 1298.6 kJ/kg", "x", "T_sat"),
            ["x = 0.170015", "T_sat = 230.057 degC"],
        ),
        (state("air", "T = 1000 K", "P = 1 bar", "h", "phase"), ["h = 1046.21 kJ/kg", "phase = gas"]),
        (
            {"fluid": "water", "at": "P = 2150 kPa"},
            ["T_sat = 216.064 degC", "P_sat = 2150 kPa", "h_f = 925.42 kJ/kg", "h_g = 2799.7 kJ/kg"],
        ),
    ],
)
async def test_a_model_gets_six_digits_with_units(arguments, lines):
    record = await outcome("saturation_state" if "at" in arguments else "fluid_state", arguments)
    assert record.ok
    assert record.result.splitlines()[: len(lines)] == lines


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"second": "P = 11200"}, "Error: 'P = 11200' has no unit; write it as in 'P = 11200 kPa'"),
        ({"fluid": "ammonia"}, "Error: ammonia is not offered here; the fluids are water"),
        ({"fluid": "mercury"}, "Error: there is no fluid 'mercury'; the fluids are water"),
        ({"properties": ["hh"]}, "Error: there is no property 'hh'; did you mean 'h'?"),
        ({"first": "T = 453.028 K", "second": "P = 1 MPa"}, "Error: T and P do not fix the state"),
    ],
)
async def test_a_bad_call_returns_one_line_with_the_reason(changed, message):
    record = await outcome("fluid_state", STATE | changed)
    assert not record.ok
    assert record.result.startswith(message)
    assert "\n" not in record.result


async def test_only_the_chosen_fluids_are_offered():
    refused = await outcome("fluid_state", STATE, fluids=("air",))
    assert refused.result == "Error: water is not offered here; the fluids are air"
    variant = await outcome("fluid_state", STATE | {"fluid": "water (IF97)"}, fluids=("water",))
    assert variant.ok
    with pytest.raises(PropertyError, match="there is no fluid 'mercury'"):
        FluidProperties(fluids=("mercury",))


async def test_parallel_calls_do_not_disturb_each_other():
    fluid_state, saturation_state = FluidProperties().apply(AgentPlan()).tools
    states = (fluid_state.ainvoke(STATE | {"first": f"T = {kelvin} K"}) for kelvin in range(300, 340))
    lines = (saturation_state.ainvoke({"fluid": "R134a", "at": "T = 20 degC"}) for _ in range(20))
    results = await asyncio.gather(*states, *lines)
    assert len(set(results[:40])) == 40
    assert len(set(results[40:])) == 1


def test_coolprop_loads_with_the_first_call():
    code = (
        "import sys; from ansatz.agents import AgentPlan;"
        "from ansatz.interventions.fluid_properties import FluidProperties;"
        "FluidProperties().apply(AgentPlan());"
        "print([name for name in ('CoolProp', 'pint', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

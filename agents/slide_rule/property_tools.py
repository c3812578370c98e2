"""Property questions with property tools bound: which call to make, and what its lines say."""

from __future__ import annotations

import re

from ansatz.agents.slide_rule.arithmetic import PRINTED_DIGITS
from ansatz.agents.slide_rule.chain import Found, Plan
from ansatz.agents.slide_rule.conversation import Conversation, ToolResult
from ansatz.agents.slide_rule.execution import Call
from ansatz.agents.slide_rule.properties import PropertyQuestion, Wanted, phase_as_asked
from ansatz.agents.slide_rule.units import parse_unit, plain_text

_LINE = re.compile(
    r"^[ \t]*(?P<name>\w+) *[=:] *(?P<value>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)[ \t]*(?P<unit>\S.*?)?[ \t]*$",
    re.MULTILINE,
)
_PHASE = re.compile(r"^[ \t]*phase *[=:] *(?P<phase>\S.*?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_TOOLS = ("fluid_state", "saturation_state")


def ask_tools(question: PropertyQuestion, talk: Conversation) -> Plan | Call | None:
    """The next call, the answer read off the results, or None where no bound tool can help."""
    calls = [call for call in _sensible_calls(question) if call.name in talk.tools]
    results = [result for result in talk.results if result.name in _TOOLS]
    for result in results:
        if not result.text.lstrip().lower().startswith("error"):
            plan = _read(question, result)
            if plan:
                return plan
    return calls[len(results)] if len(results) < len(calls) else None


def _sensible_calls(question: PropertyQuestion) -> list[Call]:
    """At most two calls that can answer; the second is for when the first one is refused."""
    at = [f"{name} = {_tool_unit(question.stated[name])}" for name in ("P", "T") if name in question.stated]
    saturation = [Call("saturation_state", {"fluid": question.fluid, "at": place}) for place in at[:1]]
    on_dome = question.state.get("x") in (0.0, 1.0) or all(want.at for want in question.wanted)
    if len(question.stated) < 2:
        return saturation
    first, second = (f"{name} = {_tool_unit(text)}" for name, text in list(question.stated.items())[:2])
    names = list(dict.fromkeys(want.name for want in question.wanted))
    state = Call(
        "fluid_state", {"fluid": question.fluid, "first": first, "second": second, "properties": names}
    )
    if any(want.at for want in question.wanted):
        return [*saturation, state]
    return [state, *saturation] if on_dome else [state]


def _tool_unit(stated: str) -> str:
    """A value with its unit in ASCII: `291.0 °C` becomes `291.0 degC`."""
    return plain_text(stated).replace("°", "deg").replace("·", "*").replace("%", "percent").replace(",", "")


def _read(question: PropertyQuestion, result: ToolResult) -> Plan | None:
    """The properties asked for, from lines such as `h = 1292.49 kJ/kg`; None where one is missing."""
    values = {}
    for line in _LINE.finditer(plain_text(result.text)):
        unit = parse_unit((line["unit"] or "-").strip())
        if unit:
            values[line["name"]] = unit.to_si(float(line["value"]))
    phase = _PHASE.search(result.text)
    found, labels = [], []
    for want in question.wanted:
        if want.name == "phase":
            if not phase:
                return None
            labels.append(
                (want.target.symbol, phase_as_asked(phase["phase"].replace("_", " "), question.body))
            )
            continue
        value = _value(want, question, values)
        if value is None:
            return None
        found.append(Found(want.target, None, value, PRINTED_DIGITS))
    asked = ", ".join(value for value in result.arguments.values() if isinstance(value, str))
    remark = f"Values read from {result.name}({asked})."
    return Plan((), tuple(found), (), tuple(labels), (remark,))


def _value(want: Wanted, question: PropertyQuestion, values: dict[str, float]) -> float | None:
    """A property under its own name, or under that of the saturated liquid or vapour it is."""
    if want.at == "fg":
        liquid, vapor = values.get(f"{want.name}_f"), values.get(f"{want.name}_g")
        return vapor - liquid if liquid is not None and vapor is not None else None
    end = want.at or {0.0: "f", 1.0: "g"}.get(question.state.get("x", -1.0), "")
    for name in (f"{want.name}_{end}", want.name, f"{want.name}_sat"):
        if name in values:
            return values[name]
    return 1 / values[f"v_{end}"] if want.name == "rho" and f"v_{end}" in values else None

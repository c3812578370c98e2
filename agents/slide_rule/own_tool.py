"""A tool that nobody here knows: it is called once, where the question states all that it takes, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansatz.agents.slide_rule.chaining import SolutionPath
from ansatz.agents.slide_rule.comprehension import Known, quantities
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.solving import Call
from ansatz.quantities.notation import read_number


def ask_own_tool(talk: Conversation, schemas: Mapping[str, Mapping[str, Any]]) -> SolutionPath | Call | None:
    """The call, or the answer read off its result; None where no such tool is bound, or it failed.

    `schemas` are the JSON schemas of the arguments by tool. A number without unit is in the unit asked for.
    """
    if len(talk.reading.targets) != 1:
        return None
    givens = {each.symbol: each for each in talk.reading.givens}
    for name, schema in schemas.items():
        arguments = schema.get("properties", {})
        needed = set(schema.get("required", ()))
        if not needed or not needed <= givens.keys():
            continue
        results = talk.results_of(name)
        if not results:
            stated = {key: givens[key] for key in arguments if key in givens}
            return Call(name, {key: _written(each, arguments[key]) for key, each in stated.items()})
        if not results[0].failed:
            return _read_off(talk, name, results[0].text)
    return None


def _written(given: Known, schema: Mapping[str, Any]) -> object:
    """The value as the argument's type has it; a text has its unit too."""
    if schema.get("type") == "string":
        return given.text
    return int(given.value) if schema.get("type") == "integer" else given.value


def _read_off(talk: Conversation, name: str, text: str) -> SolutionPath | None:
    [target] = talk.reading.targets
    alike = [each for each in quantities(text) if each.kind == target.kind]
    named = [each for each in alike if each.symbol == target.symbol] or alike
    number = read_number(text.strip())
    if named:
        found = named[-1]
    elif number is not None:
        found = Known(target.symbol, number.value, target.unit or "-")
    else:
        return None
    return SolutionPath((), ((target, found),), (f"Value from {name}.",))

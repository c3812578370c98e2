"""Questions of our own making in ThermoQA's published format: values asked for, answer block, metadata."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.published_names import NAMES, symbol_of
from ansatz.eval.benchmarks.thermoqa.published_reading import is_balance
from ansatz.eval.benchmarks.thermoqa.questions import (
    ExpectedNumber,
    ExpectedPhase,
    PublishedQuestion,
    parse,
)

Slot = tuple[str, ...]
"""A kind of question, such as turbine, depth B, water."""
Values = Mapping[str, ExpectedNumber | ExpectedPhase]

_RELATIVE_PERCENT = 2.0  # the published tolerance of every value
_CHECKED = {1: {"verified": True}, 2: {"validated": True}, 3: {}}


def number(value: float, unit: str, absolute: float) -> ExpectedNumber:
    """To twelve significant digits: more than the equations of state hold, fewer than a float prints."""
    rounded = float(f"{value:.12g}")
    return ExpectedNumber(value=rounded, unit=unit, tolerance_pct=_RELATIVE_PERCENT, abs_tolerance=absolute)


def phase(value: str) -> ExpectedPhase:
    return ExpectedPhase(value=value, type="exact_match", acceptable_aliases=NAMES["phases"][value])


def made(prose: str, expected: Values, template_id: str, **fields: Any) -> PublishedQuestion:
    """A question, but for its id; `generated_at` is null, so that a seed fixes every byte.

    Infeasible where a value is so near zero that answering 0 could be right. A closing error of an energy
    balance is zero by its nature; the strict rule leaves it out instead.
    """
    for name, one in expected.items():
        if isinstance(one, ExpectedPhase) or is_balance(name):
            continue
        if not abs(one.value) >= NAMES["smallest"][one.unit]:
            raise Infeasible(f"{name} is too near zero")
    origin = {"template_id": template_id, "coolprop_version": _coolprop_version(), "generated_at": None}
    return parse(
        {"id": "", "question": f"{prose}\n\n{_answer_block(expected)}", "expected": expected, **fields}
        | {"metadata": origin | _CHECKED[fields["tier"]]}
    )


def _answer_block(expected: Values) -> str:
    """The lines an answer is asked to fill in, symbols as both scoring rules can read them."""
    lines = []
    for name, one in expected.items():
        if isinstance(one, ExpectedPhase):
            lines.append("Phase: ___")
        else:
            unit = NAMES["typeset"].get(one.unit, one.unit.replace("*", "·"))
            lines.append(f"{NAMES['rates'].get(name, symbol_of(name))} = ___ {unit}".rstrip())
    return "\n".join(("Report your answers as:", *lines))


@cache
def _coolprop_version() -> str:
    return version("CoolProp")

"""The error of a template's traps: equations that are valid elsewhere and tempting here."""

from __future__ import annotations

from collections.abc import Mapping

from ansatz.errors import EvaluationError, UnitError
from ansatz.eval.benchmarks.templates.solution import convert_inputs
from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.benchmarks.templates.template_parts import StepSpec
from ansatz.knowledge_base.equation import Equation, Library
from ansatz.quantities.units import convert_number, has_same_dimension

MIN_ERROR = 0.1
"""A trap within this relative error would still be scored as nearly right."""


def find_weak_trap(template: Template, numbers: Mapping[str, float], library: Library) -> str | None:
    """Describe a trap whose answer is too close to the correct one for a score; None if there is none."""
    for id in template.trap.equations:
        error = trap_error(template, numbers, library.get(id))
        if error is not None and abs(error) <= MIN_ERROR:
            return f"trap {id} is off by only {error:+.1%}"
    return None


def trap_error(template: Template, numbers: Mapping[str, float], trap: Equation) -> float | None:
    """Return the relative error of a trap in the step that it would replace; None if it cannot be evaluated.

    `numbers` are the givens and results of an instance, each in its unit. The trap gets the step's inputs
    with the same symbols, and those under `trap.with`. It replaces the step that `trap.replaces` names.
    Otherwise it replaces a step with a confusable equation, or the last of those that share most inputs.
    """
    step = max(
        _replaceable(template, trap),
        key=lambda one: (one.equation in trap.confusable_with, len(one.inputs.keys() & trap.symbols)),
        default=None,
    )
    if step is None:
        return None
    inputs = {**step.inputs, **template.trap.inputs}
    wanted = {symbol: inputs[symbol] for symbol in trap.inputs}
    try:
        found = trap.value(**convert_inputs(trap, wanted, numbers, template.units))
    except (EvaluationError, UnitError):
        return None
    given = convert_number(
        found, trap.symbols[trap.output].unit, step.unit, trap.output in trap.temperature_differences
    )
    return given / numbers[step.gives] - 1


def _replaceable(template: Template, trap: Equation) -> list[StepSpec]:
    """Return the steps that a trap can replace, the last one first."""
    return [
        step
        for step in reversed(template.steps)
        if (trap.inputs or template.trap.replaces)
        and set(trap.inputs) <= {*step.inputs, *template.trap.inputs}
        and has_same_dimension(trap.symbols[trap.output].unit, step.unit)
        and template.trap.replaces in ("", step.gives)
    ]

"""Format equations as reference sheets for users, language models and programs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ansatz.quantities.unit_writing import format_unit

if TYPE_CHECKING:
    from ansatz.knowledge_base.equation.entry import Entry


_OBVIOUS = ("definition", "the regime")  # sources of ranges that the sheet leaves out


def format_sheet(
    equation: Entry, number: int | None = None, conditions: bool = True, latex: bool = False
) -> str:
    """Format name, formula and symbols of an equation.

    Parameters:
        equation: The entry.
        number: The number in the heading.
        conditions: Add where the equation applies, where it fails, and what to use there.
        latex: Add the formula in LaTeX.
    """
    head = f"[E{number}] " if number is not None else ""
    lines = [
        f"{head}{equation.name} ({equation.id})",
        f"    {_format_formula(equation)}",
        *([f"    in LaTeX: {' '.join(equation.latex.split())}"] if latex else []),
        f"    where {_format_symbols(equation)}",
    ]
    if conditions:
        lines += [f"    {line}" for line in _format_conditions(equation)]
    return "\n".join(lines)


def format_page(equation: Entry) -> str:
    """Format an entry completely: the sheet, then assumptions, similar entries and sources."""
    rows = {
        "kind": f"{equation.kind}, {equation.domain} / {equation.topic}",
        "also called": "; ".join(equation.aliases),
        "assumes": "; ".join(equation.assumptions),
        "easily confused with": ", ".join(equation.confusable_with),
        "ranges from": "; ".join(
            f"{each.valid.describe()}: {each.valid.source}"
            for each in equation.symbols.values()
            if each.valid
        ),
        "bounds": "; ".join(bound.expr for bound in equation.bounds),
        "constants from": "; ".join(f"{name}: {each.source}" for name, each in equation.constants.items()),
        "unconfirmed": "; ".join(
            f"{name}: {each.unconfirmed}" for name, each in equation.constants.items() if each.unconfirmed
        ),
        "sources": "; ".join(equation.references),
        "notes": equation.notes,
    }
    return "\n".join(
        [
            format_sheet(equation, latex=True),
            *(f"    {label}: {text}" for label, text in rows.items() if text),
        ]
    )


def format_number(value: float) -> str:
    """Format a constant in its usual notation: 1.7415e-4, 287.05, 6.02214076e23."""
    text = f"{value:.15g}"
    if 1e-3 <= abs(value) < 1e6 or value == 0:
        return text
    mantissa, exponent = f"{value:.14e}".split("e")
    return f"{re.sub(r'[.]?0+$', '', mantissa)}e{int(exponent)}"


def _format_formula(equation: Entry) -> str:
    if equation.expr is not None:
        return f"{equation.output} = {' '.join(equation.expr.split())}"
    return f"0 = {' '.join((equation.residual or '').split())}, solved for {equation.output}"


def _format_symbols(equation: Entry) -> str:
    order = [equation.output, *equation.inputs]
    parts = [(name, equation.symbols[name]) for name in order]
    symbols = [f"{name} [{format_unit(each.unit)}] {each.desc}" for name, each in parts]
    constants = [
        f"{name} = {format_number(constant.value)} {format_unit(constant.unit).strip('-')}".rstrip()
        + (" (unconfirmed)" if constant.unconfirmed else "")
        for name, constant in equation.constants.items()
    ]
    return "; ".join([*symbols, *constants])


def _format_conditions(equation: Entry) -> list[str]:
    valid = [each.valid for each in equation.symbols.values() if each.valid]
    ranges = [each for each in valid if each.source not in _OBVIOUS]
    words = [predicate.describe() for predicate in (*equation.regime.require, *ranges)]
    required = "; ".join([*words, *(needed.expr for needed in equation.holds_where)])
    preferred = "; ".join(predicate.describe() for predicate in equation.regime.prefer)
    best = f"best for: {preferred}" if preferred else ""
    lines = (
        [f"applies when: {'; '.join(filter(None, [required, best]))}"] if required else [best] if best else []
    )
    if equation.failure_modes:
        modes = "; ".join(
            f"{mode.when} ({mode.effect}{f'; use {mode.use}' if mode.use else ''})"
            for mode in equation.failure_modes
        )
        lines.append(f"do not use when: {modes}")
    return lines

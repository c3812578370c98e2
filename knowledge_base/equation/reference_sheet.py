"""The reference sheet: an equation as text that a reader, a language model or a program can use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ansatz.quantities.unit_writing import format_unit

if TYPE_CHECKING:
    from ansatz.knowledge_base.equation.entry import Entry


_PLAIN = ("definition", "the regime")  # sources of ranges that a reader knows or has read already


def format_sheet(
    equation: Entry, number: int | None = None, conditions: bool = True, latex: bool = False
) -> str:
    """Name, formula and symbols; with `conditions` also where it applies, where it fails, what to use there.

    `latex` adds the formula as it is typeset.
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
    """Everything a reader wants of an entry: the sheet, then assumptions, neighbours and sources."""
    rows = {
        "kind": f"{equation.kind}, {equation.domain} / {equation.topic}",
        "also called": "; ".join(equation.aliases),
        "assumes": "; ".join(equation.assumptions),
        "easily confused with": ", ".join(equation.confusable_with),
        "ranges from": "; ".join(
            f"{each.valid.words()}: {each.valid.source}" for each in equation.symbols.values() if each.valid
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
    """A constant as people write it: 1.7415e-4, 287.05, 6.02214076e23."""
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
    ranges = [each for each in valid if each.source not in _PLAIN]
    words = [predicate.words() for predicate in (*equation.regime.require, *ranges)]
    required = "; ".join([*words, *(needed.expr for needed in equation.holds_where)])
    preferred = "; ".join(predicate.words() for predicate in equation.regime.prefer)
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

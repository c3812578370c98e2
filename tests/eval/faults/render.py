"""Write an executed reference chain out as an answer, in the manners of different language models."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sympy
from sympy.parsing.sympy_parser import parse_expr


@dataclass(frozen=True)
class Given:
    """A given as an answer lists it: its unit, and its value in the unit that the formula needs."""

    name: str
    value: float
    unit: str
    description: str


@dataclass(frozen=True)
class Line:
    """One step: `symbol = formula = numbers = value unit`; `direct` is its value in the formula's own unit.

    A step that solves a balance for its symbol has that `balance`, and no formula.
    """

    symbol: str
    formula: str
    numbers: Mapping[str, float]
    direct: tuple[float, str]
    value: tuple[float, str]
    law: str
    balance: str = ""


@dataclass(frozen=True)
class Solution:
    """What a style writes out. Sentences may be empty."""

    givens: tuple[Given, ...]
    lines: tuple[Line, ...]
    finals: tuple[tuple[str, float, str], ...]
    assumption: str
    interpretation: str


def number(value: float, digits: int = 4) -> str:
    text = f"{value:.{digits}g}"
    if 1e3 <= abs(value) < 1e6 and "e" in text:
        return f"{value:.0f}"
    return text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")


def times_ten(value: float, digits: int = 4) -> str:
    mantissa, _, power = number(value, digits).partition("e")
    return f"{mantissa}×10^{power}" if power else mantissa


def latex_number(value: float, digits: int = 4) -> str:
    mantissa, _, power = number(value, digits).partition("e")
    return rf"{mantissa}\times 10^{{{power}}}" if power else mantissa


def with_unit(text: str, unit: str) -> str:
    return text if unit == "-" else f"{text} {unit}"


def substituted(line: Line, write: Callable[[float], str]) -> str:
    """The formula with numbers for its symbols, in brackets where they are no plain decimals."""

    def put(found: re.Match[str]) -> str:
        if found[0] not in line.numbers:
            return found[0]
        text = write(line.numbers[found[0]])
        return text if re.fullmatch(r"[\d.]+", text) else f"({text})"

    return re.sub(r"(?<![\w.])[A-Za-z_]\w*", put, line.balance or line.formula)


def steps_of(line: Line, write: Callable[[float], str]) -> list[str]:
    """The value in the formula's unit, then in the unit asked for where that differs."""
    found = [with_unit(write(line.direct[0]), line.direct[1])]
    if line.direct[1] != line.value[1]:
        found.append(with_unit(write(line.value[0]), line.value[1]))
    return found


def as_code(solution: Solution) -> str:
    parts = [f"{g.name} = {number(g.value)}  # {g.unit}, {g.description}" for g in solution.givens]
    for line in solution.lines:
        parts += [
            f"# {line.law}",
            f"{line.symbol} = {line.formula}",
            f"{' ' * len(line.symbol)} = {substituted(line, number)}",
            *(f"{' ' * len(line.symbol)} = {step}" for step in steps_of(line, number)),
        ]
    return _joined(["\n".join(["```python", *parts, "```"])], solution, number)


def as_markdown(solution: Solution) -> str:
    parts = ["## Known quantities"]
    parts.append("\n".join(f"- {g.description}: `{_given(g, number)}`" for g in solution.givens))
    parts += ["## Assumptions", solution.assumption] if solution.assumption else []
    parts.append("## Solution")
    for count, line in enumerate(solution.lines, 1):
        parts.append(f"**Step {count}: {line.law}**")
        parts.append(f"`{line.balance or f'{line.symbol} = {line.formula}'}`")
        parts += [f"`{substituted(line, number)}`"] if line.balance else []
        inserted = [] if line.balance else [substituted(line, number)]
        parts.append(" = ".join([line.symbol, *inserted, *steps_of(line, number)]))
    parts += ["## What this means", solution.interpretation] if solution.interpretation else []
    parts += ["## Final answer", "\n".join(f"**{each}**" for each in _finals(solution, number))]
    return "\n\n".join(parts)


def as_latex(solution: Solution) -> str:
    parts = ["We are given " + ", ".join(f"${_latex_given(g)}$" for g in solution.givens) + "."]
    parts += [solution.assumption] if solution.assumption else []
    for line in solution.lines:
        names = {name: _latex_name(name) for name in line.numbers}
        numbers = {name: _bracketed(latex_number(value)) for name, value in line.numbers.items()}
        ends = [_latex_unit(latex_number(line.direct[0]), line.direct[1])]
        if line.direct[1] != line.value[1]:
            ends.append(_latex_unit(latex_number(line.value[0]), line.value[1]))
        chain = [
            _latex_name(line.symbol),
            _latex(line.formula, names, ""),
            _latex(line.formula, numbers, r" \times "),
        ]
        parts.append(f"{line.law}:\n\\[\n" + " = ".join([*chain, *ends]) + "\n\\]")
    parts += [solution.interpretation] if solution.interpretation else []
    boxes = [
        rf"\boxed{{{_latex_name(name)} = {_latex_unit(latex_number(value), unit)}}}"
        for name, value, unit in solution.finals
    ]
    return "\n\n".join(
        [
            *parts,
            "\\[ " + r" \qquad ".join(boxes) + " \\]"
            if len(boxes) == 1
            else "\n".join(f"\\[ {box} \\]" for box in boxes),
        ]
    )


def as_prose(solution: Solution) -> str:
    text = "The data are " + ", ".join(_given(g, times_ten) for g in solution.givens) + "."
    text += f" {solution.assumption}" if solution.assumption else ""
    parts = [text]
    for line in solution.lines:
        formula = _spaced(line.formula)
        chain = " = ".join([_spaced(substituted(line, times_ten)), *steps_of(line, times_ten)])
        parts.append(
            f"By {line.law} we have {line.symbol} = {formula}. Inserting the numbers gives\n\n    {line.symbol} = {chain}."
        )
    return _joined(parts, solution, times_ten)


def as_chinese(solution: Solution) -> str:
    parts = ["**已知条件**\n" + "\n".join(f"{_given(g, times_ten)}" for g in solution.givens)]
    parts += [f"**假设**：{solution.assumption}"] if solution.assumption else []
    for count, line in enumerate(solution.lines, 1):
        chain = " = ".join([line.symbol, _dotted(substituted(line, times_ten)), *steps_of(line, times_ten)])
        parts.append(
            f"**第{count}步** 公式（{line.law}）：\n{line.symbol} = {_dotted(line.formula)}\n代入数值：\n{chain}"
        )
    parts += [f"**结果说明**：{solution.interpretation}"] if solution.interpretation else []
    return "\n\n".join([*parts, "**答案**\n" + "\n".join(_finals(solution, times_ten))])


def as_table(solution: Solution) -> str:
    rows = [f"| {g.description} | {g.name} | {with_unit(number(g.value), g.unit)} |" for g in solution.givens]
    parts = ["\n".join(["| Quantity | Symbol | Value |", "|---|---|---|", *rows])]
    parts += [solution.assumption] if solution.assumption else []
    for line in solution.lines:
        chain = " = ".join([substituted(line, number).replace("**", "^"), *steps_of(line, number)])
        parts.append(f"{line.law}: {line.symbol} = {line.formula.replace('**', '^')} = {chain}")
    return _joined(parts, solution, number)


def as_terse(solution: Solution) -> str:
    """Formula, numbers and result of every step, and nothing else."""
    lines = []
    for line in solution.lines:
        lines += [line.balance, substituted(line, number)] if line.balance else []
        inserted = [] if line.balance else [line.formula, substituted(line, number)]
        lines.append(" = ".join([line.symbol, *inserted, *steps_of(line, number)]))
    return "\n".join(lines)


STYLES: Mapping[str, Callable[[Solution], str]] = {
    "code": as_code,
    "markdown": as_markdown,
    "latex": as_latex,
    "prose": as_prose,
    "chinese": as_chinese,
    "table": as_table,
}


def _joined(parts: list[str], solution: Solution, write: Callable[[float], str]) -> str:
    """The parts, with sentences that the style has no place of its own for, and the final lines."""
    if solution.assumption and not any(solution.assumption in part for part in parts):
        parts.insert(0, solution.assumption)
    parts += [solution.interpretation] if solution.interpretation else []
    return "\n\n".join([*parts, "\n".join(_finals(solution, write))])


def _finals(solution: Solution, write: Callable[[float], str]) -> list[str]:
    return [with_unit(f"{name} = {write(value)}", unit) for name, value, unit in solution.finals]


def _given(given: Given, write: Callable[[float], str]) -> str:
    return with_unit(f"{given.name} = {write(given.value)}", given.unit)


def _latex_given(given: Given) -> str:
    return f"{_latex_name(given.name)} = {_latex_unit(latex_number(given.value), given.unit)}"


def _latex_unit(text: str, unit: str) -> str:
    upright = re.sub(r"\*\*(-?[\d.]+)", r"^{\1}", unit).replace("*", r" \cdot ")
    return text if unit == "-" else rf"{text}\ \mathrm{{{upright}}}"


def _latex_name(name: str) -> str:
    return str(sympy.latex(sympy.Symbol(name))).replace("{inf}", r"{\infty}")


def _latex(formula: str, names: Mapping[str, str], product: str) -> str:
    symbols = {name: sympy.Symbol(name) for name in names}
    read = parse_expr(formula, local_dict=symbols, evaluate=False)
    shown = {symbols[name]: text for name, text in names.items()}
    return str(sympy.latex(read, symbol_names=shown, mul_symbol=product or None))


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"[\d.]+", text) else rf"\left({text}\right)"


def _spaced(formula: str) -> str:
    product = " " if _is_wordy(formula) else " × "
    return re.sub(r"(?<!\*)\*(?!\*)", product, formula).replace("**", "^")


def _is_wordy(formula: str) -> bool:
    """Whether juxtaposition reads as a product: no number stands next to another."""
    return not re.search(r"\d\)?\*\(?[\d.]", formula)


def _dotted(formula: str) -> str:
    return formula.replace("**", "^").replace("*", "·").replace("sqrt(", "√(")

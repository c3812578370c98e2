"""Generate texts that probe the reader of answers: hostile repetition, and values rewritten into hedges."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ansatz.eval.outcome import judge_targets
from ansatz.eval.problem import NumberTarget
from ansatz.eval.reading.layout import locate_number
from ansatz.quantities.statements import Statement

HOSTILE = (
    "if P = 1 kW ",
    "P = 1 kW ",
    "P = 1 kW or ",
    "between 1 and ",
    "1 to ",
    "1.5-",
    "not ",
    "not 1 kW, ",
    "P < ",
    "was tempted to write P = 1 kW; ",
    "\\boxed{1 kW} ",
    "\\boxed{",
    "\\frac{1}{",
    "| P | 1 kW ",
    "| P | 1 kW |\n",
    "P = 1 kW\n",
    "a  1  2\n",
    "-----\nP   1\n",
    "P (kW) = (",
    "((((",
    "= 1 = ",
    '{"P": 1, ',
    "<td>1</td>",
    "<think>",
    "**P** = *1* ",
    "1,234 ",
    "alpha_",
    "1 kW P = ",
    "No, that is wrong. ",
)
"""Patterns that are repeated up to a given length."""


def hostile(sizes: tuple[int, ...] = (100_000, 200_000, 800_000)) -> Iterator[str]:
    """Yield a line for each pattern with the processor seconds at each size in characters."""
    target = NumberTarget(name="P", unit="kW", weight=1, value=1.51, description="shaft power")
    for pattern in HOSTILE:
        seconds = []
        for size in sizes:
            text = (pattern * (size // len(pattern) + 1))[:size]
            started = time.process_time()
            judge_targets([target], text, free_form=True)
            seconds.append(time.process_time() - started)
        yield f"{pattern!r:40}" + "".join(f"{each:9.2f} s" for each in seconds)


def hedged(text: str, statement: Statement) -> Iterator[tuple[str, str]]:
    """Return a text with its final number rewritten into hedges, by kind; empty if its place is unclear."""
    found = locate_number(text, statement)
    if found is None:
        return
    start, end = found
    number = text[start:end]
    double = f"{2 * statement.value:.4g}"
    rewritten = {
        "range": f"{number} to {double}",
        "alternatives": f"{number} or {double}",
        "upper limit": f"less than {number}",
        "lower limit": f"at least {number}",
        "denial": f"not {number}",
    }
    for kind, words in rewritten.items():
        wrapped = rf"\text{{{words}}}" if "\\boxed{" in text[max(0, start - 40) : start] else words
        yield kind, text[:start] + wrapped + text[end:]

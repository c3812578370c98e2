"""FEM-Bench: 33 finite-element programming tasks, ten models, one run each.

The README has two tables by task and model: whether the function matches the reference, and the share of the
model's tests that pass on the reference and fail on known-broken versions. Code in the repository is not run.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars

import ansatz as az

from .clone import Clone
from .page import (
    change,
    describe_size,
    differences,
    mean,
    points,
    rank_arms,
    table,
    with_interval,
    write,
)
from .published import Published, trim

HEADINGS = {"correct": "### Function Correctness", "tests": "### Joint Test Success Rate"}
_LEVEL = re.compile(r"_(CC\d)_(H\d+)_(T\d)$")


def derive(clone: Clone) -> polars.DataFrame:
    """Read a row per task and model."""
    text = clone.text("README.md")
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for dimension, heading in HEADINGS.items():
        lines = text[text.index(heading) :].splitlines()[1:]
        table = [_cells(line) for line in _first_table(lines)]
        models, group = table[0][1:], ""
        for task, *values in table[2:]:
            if task.startswith("**"):
                group = task.strip("*")
            elif _LEVEL.search(task):
                for model, value in zip(models, values, strict=True):
                    place = f"{group.replace(' ', '_')}_{task}"
                    about = {
                        "problem": place,
                        "family": _LEVEL.sub("", place),
                        "tags.group": group,
                        "model": model,
                    }
                    rows.setdefault((place, model), about)[dimension] = _parse(value)
    return polars.DataFrame([*rows.values()])


def _first_table(lines: list[str]) -> list[str]:
    start = next(at for at, line in enumerate(lines) if line.startswith("|"))
    end = next((at for at in range(start, len(lines)) if not lines[at].startswith("|")), len(lines))
    return lines[start:end]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _parse(cell: str) -> str | None:
    """Return ✓ and × as 1 and 0, and a percentage as a share; None for a dash."""
    if cell in ("✓", "×"):
        return str(int(cell == "✓"))
    return trim(float(cell.rstrip("%")) / 100) if cell.endswith("%") else None


SET = Published(
    name="fembench",
    repository="elejeune11/FEM-bench",
    commit="d370aef5dbe023b0b86eb3548d24d11fd69328ee",
    licence="MIT, Copyright (c) 2025 elejeune11",
    citation="E. Lejeune et al., FEM-bench, doi:10.5281/zenodo.16732264, README at the commit above",
    fields="The scores are the cells of two tables of the README.",
    derive=derive,
    settings={"wide": "dimension", "baseline": "gemini-3-pro-preview"},
)

REPORTED = {
    "gemini-3-pro-preview": 29,
    "gemini-2.5-pro": 26,
    "claude-opus-4.5": 28,
    "claude-haiku-4.5": 19,
    "gpt-5": 22,
    "gpt-5-mini": 25,
    "qwen3-coder": 21,
    "qwen3-next-80b": 16,
    "llama-4-maverick": 16,
    "llama-4-scout": 6,
}
"""Right functions of 33: the last row of the README's table."""


def write_page(run: az.Run) -> Path:
    data = run.results
    subsets = {each.system.arm: each for each in data.subsets()}
    best, *others = sorted(data.arms, key=lambda arm: -(mean(subsets[arm], "correct").value or 0))
    found = differences(data, {arm: (subsets[arm], subsets[best]) for arm in others}, "correct")
    ranks = rank_arms(data)
    rows = [
        [
            arm,
            with_interval(mean(subsets[arm], "correct")),
            change(found.get(arm)),
            ranks[arm],
            points(mean(subsets[arm], "tests").value),
        ]
        for arm in (best, *others)
    ]
    equal = [arm for arm in others if (each := found[arm]) is None or not each.is_significant]
    reported = [
        [arm, f"{REPORTED[arm]} of 33", f"{subsets[arm].known_values(data.values('correct')).sum():.0f}"]
        for arm in data.arms
    ]
    heads = ["model", "correct 0–100", f"Δ from {best}", "range of rank", "tests 0–100"]
    return write(
        SET,
        run,
        "models-fembench",
        best=best,
        size=describe_size(data),
        others=len(others),
        equal=len(equal),
        scores=table(heads, rows),
        reported=table(["right functions", "publisher", "here"], reported),
    )

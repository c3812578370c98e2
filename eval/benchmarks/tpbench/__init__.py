"""TPBench: problems of theoretical physics whose answers are Python functions.

TPBench (Chung et al., Mach. Learn.: Sci. Technol. 6, 030505, 2025) has five levels from easy undergraduate to
research. Ansatz's problems are in `problems/`; a file in the public format loads by `path`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ansatz.eval.benchmarks.selection import select_by_tags
from ansatz.eval.benchmarks.tpbench.records import BENCHMARK, LEVELS, read_builtin, read_file
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices

__all__ = ["BENCHMARK", "load"]


def load(
    levels: Sequence[str | int] = (), domains: Sequence[str] = (), path: str | Path | None = None
) -> tuple[Problem, ...]:
    """Return Ansatz's problems, or those of a JSON or JSONL file.

    `levels` and `domains` select from them; empty selects all. Raises InvalidData for faulty files and
    settings.
    """
    wanted = [str(level) for level in levels]
    check_choices("levels", wanted, list(LEVELS))
    problems = read_builtin() if path is None else read_file(Path(path))
    check_choices("domains", domains, sorted({str(each.tags.get("domain", "")) for each in problems}))
    return select_by_tags(problems, level=wanted, domain=domains)

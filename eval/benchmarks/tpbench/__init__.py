"""TPBench: theoretical physics whose answers are Python functions, of our own or from a public file.

TPBench (Chung et al., Mach. Learn.: Sci. Technol. 6, 030505, 2025) has five levels from easy undergraduate to
research. The problems of our own are in `problems/`; a file of the public form loads by `path`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ansatz.eval.benchmarks.selection import select_by_tags
from ansatz.eval.benchmarks.tpbench.records import BENCHMARK, LEVELS, read_file, read_own
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices

__all__ = ["BENCHMARK", "load"]


def load(
    levels: Sequence[str | int] = (), domains: Sequence[str] = (), path: str | Path | None = None
) -> tuple[Problem, ...]:
    """Our own problems, or those of a JSON or JSONL file; of some levels or domains where named.

    Raises InvalidData for faulty files and settings.
    """
    wanted = [str(level) for level in levels]
    check_choices("levels", wanted, list(LEVELS))
    problems = read_own() if path is None else read_file(Path(path))
    check_choices("domains", domains, sorted({str(each.tags.get("domain", "")) for each in problems}))
    return select_by_tags(problems, level=wanted, domain=domains)

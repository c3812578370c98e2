"""Read template files of the physics set."""

from __future__ import annotations

from pathlib import Path

from ansatz.eval.benchmarks.physbench.consistency import contradictions
from ansatz.eval.benchmarks.physbench.template import Template
from ansatz.eval.benchmarks.tps.template_files import read_all, read_one


def read_templates(root: Path, prefix: str = "") -> tuple[list[Template], list[str]]:
    """The templates under a folder, sorted by path, and one line for each thing wrong with the others.

    The order decides which questions are drawn. `prefix` limits them to ids that start with it.
    """
    return read_all(root, prefix, read_template)


def read_template(file: Path, expected_id: str) -> Template:
    """One template. Its id must be its path with dots. Raises InvalidData with a line per fault."""
    return read_one(file, expected_id, Template, contradictions)

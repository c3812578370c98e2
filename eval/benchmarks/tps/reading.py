"""Read template files of the thermal-protection set."""

from __future__ import annotations

from pathlib import Path

from ansatz.eval.benchmarks.tps.consistency import contradictions
from ansatz.eval.benchmarks.tps.template import Template
from ansatz.eval.benchmarks.tps.template_files import read_all, read_one


def read_templates(root: Path, prefix: str = "") -> tuple[list[Template], list[str]]:
    """The templates under a folder, sorted by id, and one line for each thing wrong with the others.

    `prefix` limits them to ids that start with it.
    """
    templates, lines = read_all(root, prefix, read_template)
    return sorted(templates, key=lambda template: template.id), lines


def read_template(file: Path, expected_id: str) -> Template:
    """One template. Its id must be its path with dots. Raises InvalidData with a line per fault."""
    return read_one(file, expected_id, Template, contradictions)

"""Read template files of the physics set, and say in one line each what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import ValidationError

from ansatz.eval.benchmarks.physbench.consistency import contradictions
from ansatz.eval.benchmarks.physbench.template import Template
from ansatz.eval.benchmarks.validation import InvalidData, explain


def read_templates(root: Path, prefix: str = "") -> tuple[list[Template], list[str]]:
    """The templates under a folder, sorted by path, and one line for each thing wrong with the others.

    `prefix` limits them to ids that start with it.
    """
    templates, lines = [], []
    for file in sorted(root.glob("*/*.yaml")):
        id = ".".join(file.relative_to(root).with_suffix("").parts)
        try:
            if id.startswith(prefix):
                templates.append(read_template(file, id))
        except InvalidData as error:
            lines += str(error).splitlines()
    return templates, lines


def read_template(file: Path, expected_id: str) -> Template:
    """One template. Its id must be its path with dots. Raises InvalidData with a line per fault."""
    lines: list[str] = []
    try:
        # Read as text, so that 1e-4 is a number and "no" a word; the fields' types do the rest.
        fields = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        template = Template.model_validate(fields)
        if template.id != expected_id:
            lines.append(f"id: {template.id!r} must equal the path, {expected_id!r}")
        lines += contradictions(template)
    except yaml.YAMLError as error:
        lines.append(f"not YAML: {' '.join(str(error).split())}")
    except ValidationError as error:
        lines += explain(error, Template)
    if lines:
        raise InvalidData("\n".join(f"{'/'.join(file.parts[-2:])}: {line}" for line in lines))
    return template

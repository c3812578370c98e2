"""Read the template files of a benchmark, and say in one line each what is wrong with them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import ValidationError

from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.validation import InvalidData, explain

Own = TypeVar("Own", bound=Template)


@cache
def read_templates(root: Path, model: type[Own]) -> tuple[Own, ...]:
    """The templates under a folder by id, read once. Raises InvalidData with a line for each fault."""
    found, lines = [], []
    for file in sorted(root.glob("*/*.yaml")):
        try:
            found.append(read_template(file, model, ".".join(file.relative_to(root).with_suffix("").parts)))
        except InvalidData as error:
            lines.append(str(error))
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(sorted(found, key=lambda template: template.id))


def read_template(file: Path, model: type[Own], id: str) -> Own:
    """One template; its id is its path with dots, if it says one. Raises InvalidData with all faults."""
    try:
        # Read as text, so that 1e-4 is a number and NO nitric oxide; the fields' types do the rest.
        fields = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        found = model.model_validate({"id": id, **fields} if isinstance(fields, dict) else fields)
        lines = [] if found.id == id else [f"id: {found.id!r} must equal the path, {id!r}"]
    except yaml.YAMLError as error:
        lines = [f"not YAML: {' '.join(str(error).split())}"]
    except ValidationError as error:
        lines = explain(error, model)
    if lines:
        raise InvalidData("\n".join(f"{'/'.join(file.parts[-2:])}: {line}" for line in lines))
    return found

"""Read the template files of a benchmark, and say in one line each what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.validation import InvalidData, explain

Model = TypeVar("Model", bound=BaseModel)
Own = TypeVar("Own", bound=Template)


@cache
def read_templates(root: Path, model: type[Own]) -> tuple[Own, ...]:
    """The templates under a folder by id, read once. Raises InvalidData with a line for each fault."""
    found = read_all(root, lambda file, id: read_template(file, model, id))
    return tuple(sorted(found, key=lambda template: template.id))


def read_template(file: Path, model: type[Own], expected_id: str) -> Own:
    """One template. Its id must be its path with dots. Raises InvalidData with a line per fault."""

    def faults(template: Own) -> list[str]:
        is_named = template.id == expected_id
        return [] if is_named else [f"id: {template.id!r} must equal the path, {expected_id!r}"]

    return read_one(file, model, faults)


def read_all(root: Path, read: Callable[[Path, str], Model]) -> list[Model]:
    """What `read` makes of each file `*/*.yaml` and its id. Raises InvalidData with the faults of all."""
    found, lines = [], []
    for file in sorted(root.glob("*/*.yaml")):
        try:
            found.append(read(file, ".".join(file.relative_to(root).with_suffix("").parts)))
        except InvalidData as error:
            lines += str(error).splitlines()
    if lines:
        raise InvalidData("\n".join(lines))
    return found


def read_one(
    file: Path,
    model: type[Model],
    faults: Callable[[Model], Iterable[str]],
    more: Mapping[str, Any] = {},
) -> Model:
    """What one file holds, with `more` fields beside its own. Raises InvalidData with a line per fault."""
    lines: list[str] = []
    try:
        # Read as text, so that 1e-4 is a number and NO nitric oxide; the fields' types do the rest.
        fields = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        found = model.model_validate({**more, **fields} if isinstance(fields, dict) else fields)
        lines += faults(found)
    except yaml.YAMLError as error:
        lines.append(f"not YAML: {' '.join(str(error).split())}")
    except ValidationError as error:
        lines += explain(error, model)
    if lines:
        raise InvalidData("\n".join(f"{'/'.join(file.parts[-2:])}: {line}" for line in lines))
    return found

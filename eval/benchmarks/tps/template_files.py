"""Read template files, of this set and of those made like it, and say in one line each what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import ValidationError

from ansatz.eval.benchmarks.tps.template import Calculation
from ansatz.eval.benchmarks.validation import InvalidData, explain

Read = TypeVar("Read")
Template = TypeVar("Template", bound=Calculation)


def read_all(root: Path, prefix: str, read: Callable[[Path, str], Read]) -> tuple[list[Read], list[str]]:
    """What `read` makes of each file under a folder and its id, by path, and a line per fault of the others.

    `prefix` limits them to ids that start with it.
    """
    found, lines = [], []
    for file in sorted(root.glob("*/*.yaml")):
        id = ".".join(file.relative_to(root).with_suffix("").parts)
        try:
            if id.startswith(prefix):
                found.append(read(file, id))
        except InvalidData as error:
            lines += str(error).splitlines()
    return found, lines


def read_one(
    file: Path,
    expected_id: str,
    model: type[Template],
    contradictions: Callable[[Template], Iterable[str]],
) -> Template:
    """One template. Its id must be its path with dots. Raises InvalidData with a line per fault."""
    lines: list[str] = []
    try:
        # Read as text, so that 1e-4 is a number and NO nitric oxide; the fields' types do the rest.
        fields = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        template = model.model_validate(fields)
        lines += contradictions(template)
        if template.id != expected_id:
            lines.append(f"id: {template.id!r} must equal the path, {expected_id!r}")
    except yaml.YAMLError as error:
        lines.append(f"not YAML: {' '.join(str(error).split())}")
    except ValidationError as error:
        lines += explain(error, model)
    if lines:
        raise InvalidData("\n".join(f"{'/'.join(file.parts[-2:])}: {line}" for line in lines))
    return template

"""Equations too plain to be entries of the base: what drag, share, per metre and the like mean."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ansatz.knowledge_base.equation import Equation

# Entries of the base that say the same, but for a range of their own.
REPLACED = frozenset({"heating.wall.heat_transfer_coefficient"})
_FILE = Path(__file__).with_name("elementary.yaml")


@cache
def elementary() -> tuple[Equation, ...]:
    """The definitions in the file beside this module, each an equation that can be evaluated."""
    import yaml

    return tuple(_equation(fields) for fields in yaml.safe_load(_FILE.read_text(encoding="utf-8")))


def _equation(fields: dict[str, Any]) -> Equation:
    example = {**fields.pop("test"), "source": "arithmetic"}
    common = {"kind": "definition", "domain": "definition", "topic": "definition"}
    return Equation.model_validate(
        {**fields, **common, "tests": [example], "references": ["the meaning of the words"]}
    )

"""The formulas that reference solutions rest on: `formulas.yaml`, by the names that sets use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field


class Formula(BaseModel):
    """`equations` are the ids of the same formula, or its parts, in the knowledge base."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = Field(min_length=1)
    source: str = Field(min_length=1)
    equations: tuple[str, ...] = ()


@cache
def catalogue() -> Mapping[str, Formula]:
    fields = yaml.safe_load(Path(__file__).with_name("formulas.yaml").read_text(encoding="utf-8"))
    return {id: Formula.model_validate(formula) for id, formula in fields.items()}

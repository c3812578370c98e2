"""What problem sets may name: constants (`constants.yaml`) and the formulas that solutions rest on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field


class Constant(BaseModel):
    """One number as a problem states it: `value` in `unit`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float
    unit: str
    description: str = Field(alias="is")
    source: str = Field(min_length=1)


class CataloguedFormula(BaseModel):
    """`equations` are the ids of the same formula, or its parts, in the knowledge base."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = Field(min_length=1)
    source: str = Field(min_length=1)
    equations: tuple[str, ...] = ()


@cache
def constants() -> Mapping[str, Constant]:
    return {name: Constant.model_validate(fields) for name, fields in _fields("constants").items()}


@cache
def catalogue() -> Mapping[str, CataloguedFormula]:
    return {id: CataloguedFormula.model_validate(fields) for id, fields in _fields("formulas").items()}


def _fields(name: str) -> dict[str, Any]:
    text = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))

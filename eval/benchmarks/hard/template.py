"""Templates of hard problems: chains without a named law, searches, real fluids and binding constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import yaml
from pydantic import Field, TypeAdapter, model_validator

from ansatz.eval.benchmarks.hard.functions import FUNCTIONS
from ansatz.eval.benchmarks.templates.si_template import (
    CataloguedFormula,
    FormulaBranch,
    FormulaStep,
    SITemplate,
)
from ansatz.eval.benchmarks.templates.template import Language
from ansatz.eval.benchmarks.templates.template_parts import FormulationSpec
from ansatz.eval.problem import Tolerance
from ansatz.knowledge_base.equation import Library
from ansatz.quantities.did_you_mean import nearest

Domain = Literal["thermal_protection", "cycles", "flow", "orbits"]
Kind = Literal["regime", "inverse", "property", "constraint"]
DOMAINS: tuple[str, ...] = get_args(Domain)
KINDS: tuple[str, ...] = get_args(Kind)


@cache
def laws() -> Mapping[str, CataloguedFormula]:
    """Return the laws that solutions use, by name, from `laws.yaml`."""
    content = yaml.safe_load(Path(__file__).with_name("laws.yaml").read_text(encoding="utf-8"))
    return TypeAdapter(dict[str, CataloguedFormula]).validate_python(content)


class HardTemplate(SITemplate):
    """One file and one family; its folder is its domain."""

    benchmark: ClassVar[str] = "hard"
    functions = FUNCTIONS
    tolerance: ClassVar[Tolerance | None] = Tolerance(relative=0.01)
    tries: ClassVar[int] = 400

    kinds: tuple[Kind, ...] = Field(min_length=1)
    """What makes the problem hard."""
    steps: tuple[FormulaStep, ...] = Field(min_length=1)
    branches: Mapping[str, FormulaBranch] = Field(alias="traps", min_length=1)
    laws: tuple[str, ...] = Field(min_length=1)
    """The names of the laws of the solution, in `laws.yaml`."""
    assumptions: str = Field(min_length=1)
    formulation: FormulationSpec = FormulationSpec(approach="", assumptions="")

    @model_validator(mode="before")
    @classmethod
    def _describe_approach(cls, fields: Any) -> Any:
        """Write the laws and the assumptions into the formulation."""
        if not isinstance(fields, dict):
            return fields
        approach = "; ".join(each.text for each in _look_up(fields.get("laws", ())))
        return {
            **fields,
            "formulation": {"approach": approach, "assumptions": fields.get("assumptions", "")},
        }

    @property
    def domain(self) -> str:
        return self.id.split(".")[0]

    @property
    def seed_key(self) -> str:
        return f"{self.benchmark}/{self.id}"

    @property
    def equations(self) -> tuple[str, ...]:
        """The ids of its laws in the knowledge base."""
        return tuple(dict.fromkeys(id for law in _look_up(self.laws) for id in law.equations))

    @property
    def sources(self) -> str:
        """Its laws with their sources, one a line."""
        return "\n".join(f"{law.text} [{law.source}]" for law in _look_up(self.laws))

    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        return {"domain": self.domain, "kinds": self.kinds, "laws": str(len(self.laws))}


def _look_up(names: Iterable[str]) -> list[CataloguedFormula]:
    known = laws()
    for name in names:
        if name not in known:
            raise ValueError(f"laws: there is no {name!r}{nearest(name, known)}")
    return [known[name] for name in names]

"""Templates of thermal protection: level, task type and domains (TPS-CalcBench, arXiv:2604.17966)."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from pydantic import Field, model_validator

from ansatz.eval.benchmarks.templates.template import Language, Template
from ansatz.eval.benchmarks.templates.template_parts import GivenSpec, StepSpec, TargetSpec, TrapSpec
from ansatz.eval.problem_schema import METADATA
from ansatz.knowledge_base.equation import Library

Domain = Literal[
    "newtonian",
    "shock",
    "boundary_layer",
    "heating",
    "viscous_interaction",
    "equilibrium",
    "nonequilibrium",
    "radiation",
]
Level = Literal["L1", "L2", "L3", "L4"]
DOMAINS: tuple[str, ...] = get_args(Domain)
LEVELS: tuple[str, ...] = get_args(Level)


class TPSTemplate(Template):
    """A template of thermal protection; it counts in the first of its `domains`."""

    benchmark: ClassVar[str] = "tps"

    level: Level
    task_type: Literal["numerical_calc", "derivation", "comparison"] = "numerical_calc"
    domains: tuple[Domain, ...] = Field(min_length=1)
    givens: dict[str, GivenSpec]
    steps: tuple[StepSpec, ...] = Field(min_length=1)
    targets: dict[str, TargetSpec] = Field(min_length=1)
    trap: TrapSpec

    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        """Return the tags, including the method and the references of the equations."""
        equations = [library.get(step.equation) for step in self.steps if step.equation]
        published = dict.fromkeys(each for equation in equations for each in equation.references)
        return {
            "level": self.level,
            "domain": self.domains[0],
            "domains": self.domains,
            "task_type": self.task_type,
            "language": language,
            f"{METADATA}method": "executed template",
            **({f"{METADATA}references": "; ".join(published)} if published else {}),
        }

    @model_validator(mode="after")
    def _check_derivation(self) -> TPSTemplate:
        if (self.task_type == "derivation") != (self.derivation is not None):
            raise ValueError("derivation: is required for the task type derivation, and only for it")
        return self

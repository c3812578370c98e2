"""What templates of thermal protection add: level, task type, domains (TPS-CalcBench, arXiv:2604.17966)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from ansatz.eval.benchmarks.templates.template import (
    GivenSpec,
    Language,
    StepSpec,
    TargetSpec,
    Template,
    TrapSpec,
)
from ansatz.eval.item import METADATA
from ansatz.knowledge_base.equation import Expression, ExpressionError, Library
from ansatz.quantities.did_you_mean import nearest

DOMAINS = (
    "newtonian",
    "shock",
    "boundary_layer",
    "heating",
    "viscous_interaction",
    "equilibrium",
    "nonequilibrium",
    "radiation",
)
LEVELS = ("L1", "L2", "L3", "L4")


class TPSTemplate(Template):
    """A template of thermal protection; the first of its `domains` is the one that it counts in."""

    benchmark: ClassVar[str] = "tps"

    level: Literal["L1", "L2", "L3", "L4"]
    task_type: Literal["numerical_calc", "derivation", "comparison"] = "numerical_calc"
    domains: tuple[str, ...] = Field(min_length=1)
    givens: dict[str, GivenSpec]
    steps: tuple[StepSpec, ...] = Field(min_length=1)
    targets: dict[str, TargetSpec] = Field(min_length=1)
    trap: TrapSpec

    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        """How an item came about, and where its equations are published, among them."""
        equations = [library.get(step.equation) for step in self.steps if step.equation]
        published = dict.fromkeys(each.text for equation in equations for each in equation.references)
        return {
            "level": self.level,
            "domain": self.domains[0],
            "domains": self.domains,
            "task_type": self.task_type,
            "language": language,
            f"{METADATA}method": "executed template",
            **({f"{METADATA}references": "; ".join(published)} if published else {}),
        }

    def own_faults(self) -> Iterator[str]:
        for domain in self.domains:
            if domain not in DOMAINS:
                yield f"domains: {domain!r} is not valid{nearest(domain, DOMAINS)}"
        if (self.task_type == "derivation") != (self.derivation is not None):
            yield "derivation: must be there for the task type derivation, and only for it"
        if self.task_type == "comparison":
            yield from self._uncompared()

    def _uncompared(self) -> Iterator[str]:
        """A comparison without two values of a kind asked for, or without one that relates two values."""
        units = self.units
        stated = [name for name, given in self.givens.items() if not given.is_word]
        pairs = [(one, other) for one in self.targets for other in (*self.targets, *stated) if one != other]
        if not any(units.get(one) == units.get(other) for one, other in pairs):
            wanted = "two values in one unit, or for one beside a given of its unit"
            yield f"task_type: a comparison asks for {wanted}"
        relating = [step for step in self.steps if step.gives in self.targets and step.expression]
        if not self.labels and not any(_relates(step.expression, units) for step in relating):
            yield "task_type: a comparison also asks for what relates two values, such as a ratio or a label"


def _relates(expression: str, units: Mapping[str, str]) -> bool:
    """Whether arithmetic brings together two values of one unit."""
    try:
        named = [units[name] for name in Expression.parse(expression).names if name in units]
    except ExpressionError:
        return True  # reported as such
    return len(set(named)) < len(named)

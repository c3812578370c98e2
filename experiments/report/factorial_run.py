"""The statistics of a run's factorial arms: effects, interactions and parts of the gain."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from ansatz.eval.factorial import Cells, Factorial, factorial_effects
from ansatz.eval.shapley import Attribution, shapley
from ansatz.eval.statistics import PairedDelta, Scores, holm
from ansatz.experiments.report.design import Design
from ansatz.experiments.report.scale import is_rubric
from ansatz.experiments.report.section import Column, Entry
from ansatz.experiments.report.systems import Systems
from ansatz.experiments.report.table import ReportData

TOGETHER = "all together"


class FactorialRun(Systems):
    """The factorial arms of a run, model by model and dimension by dimension."""

    def __init__(self, data: ReportData, design: Design) -> None:
        super().__init__(data, {cell.problem: cell.family for cell in data.cells})
        self.design = design

    def cells(self, model: str, dimension: str) -> Cells:
        return {on: self._scores(model, arm, dimension) for on, arm in self.design.arms.items()}

    def _scores(self, model: str, arm: str, dimension: str) -> Scores:
        found: defaultdict[str, list[float | None]] = defaultdict(list)
        for cell in self.data.grouped.get((model, arm, dimension), []):
            found[cell.problem].append(cell.value)
        return found

    @cached_property
    def effects(self) -> dict[tuple[str, str], Factorial]:
        """By model and dimension; dimensions without a problem that is scored in every arm are left out."""
        found = {}
        for model in self.data.models:
            for dimension in self.data.quality:
                effects = factorial_effects(
                    self.cells(model, dimension),
                    self.families,
                    seed=self.data.seed,
                    resamples=self.data.resamples,
                    level=self.data.level,
                )
                if effects.problems:
                    found[model, dimension] = effects
        return found

    @cached_property
    def attributions(self) -> dict[tuple[str, str], Attribution]:
        return {
            (model, dimension): shapley(
                self.cells(model, dimension),
                self.families,
                seed=self.data.seed,
                resamples=self.data.resamples,
                level=self.data.level,
            )
            for model, dimension in self.effects
        }

    def adjusted(self, model: str) -> dict[tuple[str, tuple[str, ...]], float]:
        """p of every effect by dimension and switches, after Holm over all of them."""
        return holm(
            {
                (dimension, effect.switches): effect.delta.p
                for (of, dimension), found in self.effects.items()
                for effect in found.effects
                if of == model and effect.delta.p is not None
            }
        )

    def parts(self, model: str, dimension: str) -> dict[str, PairedDelta]:
        """Each switch's part of the gain, and the whole; empty where nothing could be told."""
        found = self.attributions.get((model, dimension))
        return {**found.parts, TOGETHER: found.gain} if found else {}

    def adjusted_parts(self, model: str) -> dict[tuple[str, str], float]:
        """p of every part by dimension, after Holm over all of them."""
        parts = {
            dimension: self.parts(model, dimension) for of, dimension in self.attributions if of == model
        }
        raw = {(dimension, name): delta.p for dimension, own in parts.items() for name, delta in own.items()}
        return holm({place: p for place, p in raw.items() if p is not None})

    def groups(self) -> list[tuple[str, list[str]]]:
        """The dimensions of each table, by its name."""
        known = [name for name in self.data.quality if any(name == each for _, each in self.effects)]
        groups = [
            ("outcome", [name for name in known if not is_rubric(name)]),
            ("rubric", [name for name in known if is_rubric(name)]),
        ]
        return [(name, dimensions) for name, dimensions in groups if dimensions]

    def named(self, model: str) -> list[Entry]:
        return [model] if self.several_models else []

    def heading(self, first: str) -> list[Column]:
        return [*([Column("model")] if self.several_models else []), Column(first)]

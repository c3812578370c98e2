"""What a comparison needs of a run: scores by problem, identities and hashes. It has no texts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ansatz.errors import BadInput
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension
from ansatz.experiments.ledger import Ledger, canonical_hash
from ansatz.experiments.ledger.record import canonical_json
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.results import Floats, Numbers, Results
from ansatz.quantities import nearest
from ansatz.version import __version__

_DIGITS = 4  # decimals of a stored sum of scores
_HASH = 10  # hexadecimal digits of the hash of a model, an arm or a scorer
_SHORT = 4  # characters of the hash of a question, 24 bits


class SummarizedProblem(NamedTuple):
    """The identity of a problem."""

    family: str
    question: str
    """A hash of what a model sees."""
    key: str
    """A hash of the right values and their tolerances."""


@dataclass(frozen=True, eq=False)
class RunSummary:
    """The scores of a run by model, arm, dimension and problem, with the identities of all four.

    Example: `before.only("baseline").means`.
    """

    name: str
    models: Mapping[str, str]
    """By title, a hash of the model and its settings."""
    arms: Mapping[str, str]
    """By name, a hash of the arm's treatment."""
    baseline: str
    dimensions: Mapping[str, Dimension]
    """The quality dimensions by name."""
    scorers: Mapping[str, str]
    """By name, a hash of the scorer, its version and its settings."""
    problems: Mapping[str, SummarizedProblem]
    """By id."""
    sums: Floats
    """Sum of the scores over repeats, of shape (models, arms, dimensions, problems)."""
    counts: NDArray[np.int64]
    """Number of the scores, of the same shape."""
    planned: int
    """Number of attempts that the run asks for."""
    finished: int
    """Number of attempts that were tried."""
    primary: tuple[str, ...] = ()
    """Dimensions that are tested first."""
    levels: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By model and arm, the confidence level of the interim analysis that ended it; empty without `stop`."""
    simulated: frozenset[str] = frozenset()
    """Models that are rule-based programs, not language models."""
    seed: int = 0
    written_by: str = __version__
    """The version of Ansatz that wrote the summary."""
    folder: Path | None = None
    """The run folder; None if the summary was read from a file."""

    @cached_property
    def means(self) -> Floats:
        """The mean over repeats, NaN without a score, of the shape of `sums`."""
        empty = np.full(self.sums.shape, np.nan)
        return np.asarray(np.divide(self.sums, self.counts, out=empty, where=self.counts > 0))

    @property
    def is_complete(self) -> bool:
        """Whether every planned attempt was tried."""
        return self.finished >= self.planned

    def only(self, name: str) -> RunSummary:
        """Return the summary with one arm, or else one model. Raises BadInput for an unknown name."""
        if name in self.arms:
            at = list(self.arms).index(name)
            chosen = replace(self, arms={name: self.arms[name]})
            part = (slice(None), slice(at, at + 1))
            return replace(chosen, sums=self.sums[part], counts=self.counts[part])
        if name in self.models:
            at = list(self.models).index(name)
            chosen = replace(self, models={name: self.models[name]})
            return replace(chosen, sums=self.sums[at : at + 1], counts=self.counts[at : at + 1])
        known = [*self.arms, *self.models]
        raise BadInput(f"{self.name} has no arm or model {name!r}{nearest(name, known)}")

    @classmethod
    def of_run(cls, folder: str | Path) -> RunSummary:
        """Summarize a run folder. Raises LedgerError if there is none."""
        folder = Path(folder)
        data = read_results(folder)
        with Ledger.open(folder, write=False) as ledger:
            study, manifest = ledger.about("study"), ledger.about("manifest") or {}
        treatments = manifest.get("arms", {})
        return replace(
            cls.of_results(data),
            models={each["title"]: _hash(each.get("identity") or {}) for each in study["models"]},
            arms={name: treatments.get(name, {}).get("treatment_sha256", "")[:_HASH] for name in data.arms},
            scorers=_identify_scorers(study, manifest),
            folder=folder,
        )

    @classmethod
    def of_results(cls, data: Results) -> RunSummary:
        """Summarize results in memory. Models, arms and scorers have no hash then.

        Raises BadInput for a screening run, whose arms answer different problems.
        """
        if data.screened:
            raise BadInput(f"{data.title}: a screening run has effects of switches, and no arms to compare")
        sums, counts = _sum_scores(data)
        return cls(
            name=data.title,
            models=dict.fromkeys(data.models, ""),
            arms=dict.fromkeys(data.arms, ""),
            baseline=data.baseline,
            dimensions={each.name: each for each in headline(data)},
            scorers={},
            problems={id: _identify_problem(each) for id, each in data.problems.items()},
            sums=sums,
            counts=counts,
            planned=data.planned,
            finished=len(data.attempts),
            primary=data.primary,
            levels=dict(_find_levels(data)),
            simulated=data.simulated,
            seed=data.seed,
        )


def headline(data: Results) -> tuple[Dimension, ...]:
    """Return the quality dimensions that are not a detail of another, and the primary ones."""
    quality = data.with_role("quality")
    chosen = [each for each in quality if not each.detail or each.name in data.primary]
    return tuple(chosen or quality)


def _sum_scores(data: Results) -> tuple[Floats, NDArray[np.int64]]:
    """Sum the scores over repeats, rounded as a summary file stores them, and count them."""
    dimensions = headline(data)
    shape = (len(data.models), len(data.arms), len(dimensions), len(data.problem_list))
    sums, counts = np.zeros(shape), np.zeros(shape, dtype=np.int64)
    places = _number_cells(data)
    size = shape[0] * shape[1] * shape[3]
    for at, dimension in enumerate(dimensions):
        values = data.values(dimension.name)
        known = ~np.isnan(values)
        own = np.bincount(places[known], weights=values[known], minlength=size)
        sums[:, :, at] = own.reshape(shape[0], shape[1], shape[3])
        found = np.bincount(places[known], minlength=size)
        counts[:, :, at] = found.reshape(shape[0], shape[1], shape[3])
    return np.round(sums, _DIGITS), counts


def _find_levels(data: Results) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield the level of each system of a run with interim analyses. The last one ended the baseline."""
    if data.interim is not None and data.interim.stages:
        for system in data.systems:
            stage = data.find_stage(system) or data.interim.stages[-1]
            yield (system.model, system.arm), stage.level


def _number_cells(data: Results) -> Numbers:
    """Number each attempt's cell of model, arm and problem."""
    at = data.attempts
    return np.asarray((at.model * len(data.arms) + at.arm) * len(data.problem_list) + at.problem)


def _identify_problem(problem: Problem) -> SummarizedProblem:
    shown = [problem.context, problem.question, problem.follows]
    targets = [each.model_dump(mode="json") for each in problem.targets]
    return SummarizedProblem(problem.family, _shorten(shown), _shorten(targets))


def _identify_scorers(study: Mapping[str, Any], manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return a hash of each scorer by its class, and of the judges if there are any."""
    found: dict[str, str] = {}
    for each in study.get("scorers", ()):
        name = str(each.get("class", "scorer")).rpartition(":")[2]
        number = sum(known.partition(" ")[0] == name for known in found)
        found[f"{name} {number + 1}" if number else name] = _hash(each)
    judging = [manifest.get(key) for key in ("judges", "judge_prompts_sha256", "reading_prompt_sha256")]
    return found | ({"judges": _hash(judging)} if any(judging) else {})


def _hash(content: Any) -> str:
    return canonical_hash(content)[:_HASH]


def _shorten(content: Any) -> str:
    """Return a hash that is short in a file with a line for each problem."""
    return base64.urlsafe_b64encode(hashlib.sha256(canonical_json(content)).digest()).decode()[:_SHORT]

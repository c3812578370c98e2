"""Rankers side by side on questions whose answers are known.

The metrics, for the questions of which at least one gold name is borne by an entry (the others are left out
and counted). A gold name that fits several entries is found with the best-ranked of them. Ranks start at 1;
an excluded entry (score -inf) has none.

recall@k               mean over questions of: golds ranked k or better / golds
mrr                    mean of 1 / rank of the best-ranked gold, 0 where none is ranked
trap_at_or_above_gold  share, among the questions with at least one trap that is an entry, of those where
                       some trap is ranked and no gold is ranked before it
false_exclusion        share of questions of which at least one gold is excluded
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from ansatz.errors import AnsatzError
from ansatz.knowledge_base.search.abstention import refusal
from ansatz.knowledge_base.search.evaluation.labelled_questions import (
    EntryNames,
    LabelledQuestion,
    ResolvedQuestion,
    Unmatched,
)
from ansatz.knowledge_base.search.ranking import Ranker, find_ranker, word_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library

DEPTHS = (1, 3, 5)
_UNRANKED = float("inf")
_BY_DOMAIN = ("recall@5", "trap_at_or_above_gold", "false_exclusion")
Progress = Callable[[str, int, int], None]
"""Called with the ranker's name, the questions done and their number."""


class RankerError(AnsatzError, ValueError):
    """A ranker whose scores do not fit the base."""


@dataclass(frozen=True)
class RankOutcome:
    """What one ranker did with one question: the rank of each gold, and of the best trap; inf for none."""

    asked: ResolvedQuestion
    gold: tuple[float, ...]
    trap: float
    first: str

    @property
    def trapped(self) -> bool:
        return self.trap < _UNRANKED and self.trap <= min(self.gold)

    @property
    def falsely_excluded(self) -> bool:
        return max(self.gold) == _UNRANKED

    @property
    def missed(self) -> bool:
        """Whether it counts against the ranker: a gold excluded or below place five, or a trap before it."""
        return max(self.gold) > DEPTHS[-1] or self.trapped

    def __str__(self) -> str:
        ranks = ", ".join(
            f"{' or '.join(meant)} {_rank(rank)}"
            for meant, rank in zip(self.asked.gold, self.gold, strict=True)
        )
        trap = f"; a trap {_rank(self.trap)}" if self.trapped else ""
        return f"{self.asked.id}: {ranks}{trap}; first is {self.first}"


@dataclass(frozen=True)
class Evaluation:
    """The outcomes of each ranker, the names that no entry bears, and the questions left out for that.

    `refused` are the questions that a search shows nothing for, by whatever ranker; here they are ranked.
    """

    outcomes: Mapping[str, tuple[RankOutcome, ...]]
    unmatched: tuple[Unmatched, ...]
    left_out: tuple[str, ...]
    refused: tuple[str, ...] = ()

    def metrics(self, ranker: str, domain: str | None = None) -> dict[str, float]:
        """The metrics of one ranker, in all or in one domain."""
        return metrics([each for each in self.outcomes[ranker] if domain in (None, each.asked.domain)])

    @property
    def domains(self) -> list[str]:
        return sorted({each.asked.domain for found in self.outcomes.values() for each in found})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, for programs."""
        return {
            "rankers": {
                name: {
                    **self.metrics(name),
                    "standard_errors": standard_errors(self.outcomes[name]),
                    "by_domain": {domain: self.metrics(name, domain) for domain in self.domains},
                }
                for name in self.outcomes
            },
            "unmatched": [asdict(each) for each in self.unmatched],
            "left_out": list(self.left_out),
            "refused": list(self.refused),
        }

    def tables(self) -> Iterator[list[dict[str, str]]]:
        """Rows to read: each ranker's metrics with standard errors, then the chief ones by domain."""
        rows = []
        for name, outcomes in self.outcomes.items():
            values, errors = self.metrics(name), standard_errors(outcomes)
            row = {"ranker": name, "n": f"{values['n']:.0f}"}
            rows.append(row | {_head(key): f"{values[key]:.3f} ± {errors[key]:.3f}" for key in errors})
        yield rows
        for metric in _BY_DOMAIN if self.domains else ():
            rows = []
            for domain in self.domains:
                found = {name: self.metrics(name, domain) for name in self.outcomes}
                count = max(int(each["n"]) for each in found.values())
                shares = {name: f"{each[metric]:.3f}" for name, each in found.items()}
                rows.append({_head(metric): domain, "n": str(count), **shares})
            yield rows

    def remarks(self, misses: bool = False) -> Iterator[str]:
        """Names that no entry bears, questions left out for that or refused, what each ranker got wrong."""
        for each in self.unmatched:
            yield f"unmatched: {each.question}: {each.field}: {each.name}"
        if self.left_out:
            yield f"left out, no gold matched: {len(self.left_out)} ({', '.join(self.left_out)})"
        if self.refused:
            yield f"a search shows nothing for {len(self.refused)} ({', '.join(self.refused)})"
        for name, outcomes in self.outcomes.items() if misses else ():
            yield from (f"{name}: {each}" for each in outcomes if each.missed)


def evaluate(
    questions: Iterable[LabelledQuestion],
    library: Library,
    rankers: Sequence[str],
    progress: Progress = lambda name, done, count: None,
) -> Evaluation:
    """Put every question to every ranker. Raises UnknownRanker and RankerError."""
    factories = {name: find_ranker(name) for name in rankers}
    names = EntryNames(library)
    resolved = [names.resolve(question) for question in questions]
    asked = [question for question, _ in resolved if question.gold]
    unmatched = tuple(each for _, found in resolved for each in found)
    ids = [equation.id for equation in library]
    outcomes = {}
    for name, factory in factories.items():
        ranker, found = factory(library), []
        for question in asked:
            found.append(outcome(question, ids, _scores(name, ranker, question, len(ids))))
            progress(name, len(found), len(asked))
        outcomes[name] = tuple(found)
    words = word_index(library)
    return Evaluation(
        outcomes,
        unmatched,
        tuple(one.id for one, _ in resolved if not one.gold),
        tuple(one.id for one in asked if refusal(one.question, words)),
    )


def outcome(asked: ResolvedQuestion, ids: Sequence[str], scores: NDArray[np.float64]) -> RankOutcome:
    """The ranks of a question's golds and traps by the scores of all entries; ties keep their order."""
    import numpy as np

    order = np.argsort(-scores, kind="stable")
    ranked = [ids[place] for place in order if scores[place] > -np.inf]
    ranks = {id: float(rank) for rank, id in enumerate(ranked, 1)}
    gold = tuple(min(ranks.get(id, _UNRANKED) for id in meant) for meant in asked.gold)
    trap = min((ranks.get(id, _UNRANKED) for id in asked.traps), default=_UNRANKED)
    return RankOutcome(asked, gold, trap, ranked[0] if ranked else "")


def metrics(outcomes: Sequence[RankOutcome]) -> dict[str, float]:
    """The metrics that the module's text defines, and the number of questions: `n`, and `with_traps`."""
    values = _values(outcomes)
    counts = {"n": len(outcomes), "with_traps": len(values["trap_at_or_above_gold"])}
    return counts | {name: fmean(each) if each else 0.0 for name, each in values.items()}


def standard_errors(outcomes: Sequence[RankOutcome]) -> dict[str, float]:
    """Of each metric, taken as the mean over questions drawn at random; 0 for fewer than two."""
    return {
        name: stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
        for name, values in _values(outcomes).items()
    }


def _values(outcomes: Sequence[RankOutcome]) -> dict[str, list[float]]:
    """What each question adds to each metric."""
    found = {
        f"recall@{depth}": [sum(rank <= depth for rank in each.gold) / len(each.gold) for each in outcomes]
        for depth in DEPTHS
    }
    return found | {
        "mrr": [1 / min(each.gold) for each in outcomes],
        "trap_at_or_above_gold": [float(each.trapped) for each in outcomes if each.asked.traps],
        "false_exclusion": [float(each.falsely_excluded) for each in outcomes],
    }


def _scores(name: str, ranker: Ranker, asked: ResolvedQuestion, count: int) -> NDArray[np.float64]:
    import numpy as np

    scores = np.asarray(ranker.scores(asked.question), dtype=float)
    if scores.shape != (count,):
        raise RankerError(f"ranker {name!r} gives scores of shape {scores.shape} for {count} entries")
    if np.isnan(scores).any():
        raise RankerError(f"ranker {name!r} gives a score that is not a number for question {asked.id!r}")
    return scores


def _head(metric: str) -> str:
    return "MRR" if metric == "mrr" else metric.replace("_", " ")


def _rank(rank: float) -> str:
    return "is excluded" if rank == _UNRANKED else f"is {rank:.0f}."

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ansatz.errors import InvalidData
from ansatz.knowledge_base.search.abstention import find_refusal_reason
from ansatz.knowledge_base.search.chinese_query import translate_question
from ansatz.knowledge_base.search.evaluation.labelled_questions import EntryNames, LabelledQuestion
from ansatz.knowledge_base.search.ranking import Ranker, find_ranker, load_word_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from polars import DataFrame

    from ansatz.knowledge_base.equation.library import Library

DEPTHS = (1, 3, 5)
_WHICH = ("ranker", "id", "domain")
_METRICS = (*(f"recall@{depth}" for depth in DEPTHS), "mrr", "trap_at_or_above_gold", "false_exclusion")
_BY_DOMAIN = ("recall@5", "trap_at_or_above_gold", "false_exclusion")
Progress = Callable[[str, int, int], None]
"""Called with the ranker's name, the questions done and their number."""


@dataclass(frozen=True)
class Evaluation:
    """The result of each ranker on each question."""

    scores: DataFrame
    """A row for each ranker and question: `ranker`, `id`, `domain`, the contribution to each metric (None if
    it has none), and `miss`, a description of the ranker's error."""
    unmatched: tuple[dict[str, str], ...]
    """Names in the questions that no entry has."""
    left_out: tuple[str, ...]
    """Ids of questions none of whose gold names matches an entry."""
    refused: tuple[str, ...] = ()
    """Ids of questions for which a search returns nothing; the evaluation ranks them all the same."""

    def metrics(self, ranker: str, domain: str | None = None) -> dict[str, float]:
        """The metrics of one ranker, in all or in one domain, over `n` questions, some `with_traps`."""
        own = self.scores.filter(ranker=ranker, **({} if domain is None else {"domain": domain}))
        means = own.select(_METRICS).mean().row(0, named=True)
        counts = {"n": len(own), "with_traps": own["trap_at_or_above_gold"].count()}
        return counts | {name: mean or 0.0 for name, mean in means.items()}

    def standard_errors(self, ranker: str) -> dict[str, float]:
        """Of each metric, taken as the mean over questions drawn at random; 0 for fewer than two."""
        own = self.scores.filter(ranker=ranker).select(_METRICS)
        parts = zip(_METRICS, own.std().row(0), own.count().row(0), strict=True)
        return {name: (spread or 0.0) / math.sqrt(count or 1) for name, spread, count in parts}

    @property
    def rankers(self) -> list[str]:
        return self.scores["ranker"].unique(maintain_order=True).to_list()

    @property
    def domains(self) -> list[str]:
        return self.scores["domain"].unique().sort().to_list()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, for programs."""
        return {
            "rankers": {
                name: {
                    **self.metrics(name),
                    "standard_errors": self.standard_errors(name),
                    "by_domain": {domain: self.metrics(name, domain) for domain in self.domains},
                }
                for name in self.rankers
            },
            "unmatched": list(self.unmatched),
            "left_out": list(self.left_out),
            "refused": list(self.refused),
        }

    def tables(self) -> Iterator[list[dict[str, str]]]:
        """Rows to read: each ranker's metrics with standard errors, then the chief ones by domain."""
        rows = []
        for name in self.rankers:
            values, errors = self.metrics(name), self.standard_errors(name)
            row = {"ranker": name, "n": f"{values['n']}"}
            rows.append(
                row | {_format_heading(key): f"{values[key]:.3f} ± {errors[key]:.3f}" for key in errors}
            )
        yield rows
        for metric in _BY_DOMAIN if self.domains else ():
            rows = []
            for domain in self.domains:
                found = {name: self.metrics(name, domain) for name in self.rankers}
                shares = {name: f"{each[metric]:.3f}" for name, each in found.items()}
                rows.append(
                    {_format_heading(metric): domain, "n": f"{found[self.rankers[0]]['n']}", **shares}
                )
            yield rows

    def remarks(self, misses: bool = False) -> Iterator[str]:
        """Names that no entry bears, questions left out for that or refused, what each ranker got wrong."""
        for each in self.unmatched:
            yield f"unmatched: {each['question']}: {each['field']}: {each['name']}"
        if self.left_out:
            yield f"left out, no gold matched: {len(self.left_out)} ({', '.join(self.left_out)})"
        if self.refused:
            yield f"a search shows nothing for {len(self.refused)} ({', '.join(self.refused)})"
        missed = self.scores.drop_nulls("miss").select("ranker", "id", "miss").rows() if misses else ()
        yield from (f"{ranker}: {id}: {miss}" for ranker, id, miss in missed)


def evaluate_rankers(
    questions: Iterable[LabelledQuestion],
    library: Library,
    rankers: Sequence[str],
    progress: Progress = lambda name, done, count: None,
) -> Evaluation:
    """Put every question to every ranker. Raises SettingError and InvalidData."""
    from polars import DataFrame, Float64, String

    factories = {name: find_ranker(name) for name in rankers}
    names, asked, unmatched, left_out = EntryNames(library), [], [], []
    for each in questions:
        meant = {
            field: {name: names.ids(name) for name in getattr(each, field)} for field in ("gold", "traps")
        }
        unmatched += [
            {"question": each.id, "field": field, "name": name}
            for field, found in meant.items()
            for name, ids in found.items()
            if not ids
        ]
        gold = list(filter(None, meant["gold"].values()))
        traps = {id for ids in meant["traps"].values() for id in ids}.difference(*gold)
        if gold:
            asked.append((each, translate_question(each.question), gold, traps))  # as a search asks it
        else:
            left_out.append(each.id)
    ids, rows = [equation.id for equation in library], []
    for name, factory in factories.items():
        ranker = factory(library)
        for number, (each, question, gold, traps) in enumerate(asked, 1):
            own = score_question(gold, traps, ids, _compute_scores(name, ranker, question, len(ids)))
            rows.append({"ranker": name, "id": each.id, "domain": each.domain, **own})
            progress(name, number, len(asked))
    words = load_word_index(library)
    refused = tuple(each.id for each, question, *_ in asked if find_refusal_reason(question, words))
    schema = {**dict.fromkeys(_WHICH, String), **dict.fromkeys(_METRICS, Float64), "miss": String}
    return Evaluation(DataFrame(rows, schema=schema), tuple(unmatched), tuple(left_out), refused)


def score_question(
    gold: Sequence[Sequence[str]], traps: Iterable[str], ids: Sequence[str], scores: NDArray[np.float64]
) -> dict[str, Any]:
    """What a question adds to each metric by the scores of all entries; ties keep their order.

    Each of `gold` holds the ids that one name may mean.
    """
    import numpy as np

    order = np.argsort(-scores, kind="stable")
    ranked = [ids[place] for place in order if scores[place] > -np.inf]
    ranks = {id: rank for rank, id in enumerate(ranked, 1)}
    found = {" or ".join(meant): min(ranks.get(id, math.inf) for id in meant) for meant in gold}
    best, worst = min(found.values()), max(found.values())
    trap = min((ranks.get(id, math.inf) for id in traps), default=math.inf)
    trapped = trap < math.inf and trap <= best
    shown = ", ".join(f"{meant} {_format_rank(rank)}" for meant, rank in found.items())
    shown += f"{f'; a trap {_format_rank(trap)}' if trapped else ''}; first is {ranked[0] if ranked else ''}"
    recall = {
        f"recall@{depth}": sum(rank <= depth for rank in found.values()) / len(found) for depth in DEPTHS
    }
    return recall | {
        "mrr": 1 / best,
        "trap_at_or_above_gold": float(trapped) if traps else None,
        "false_exclusion": float(worst == math.inf),
        "miss": shown if worst > DEPTHS[-1] or trapped else None,
    }


def _compute_scores(name: str, ranker: Ranker, question: str, count: int) -> NDArray[np.float64]:
    import numpy as np

    scores = np.asarray(ranker.scores(question), dtype=float)
    if scores.shape != (count,):
        raise InvalidData(f"ranker {name!r} gives scores of shape {scores.shape} for {count} entries")
    if np.isnan(scores).any():
        raise InvalidData(f"ranker {name!r} gives a score that is not a number for question {question!r}")
    return scores


def _format_heading(metric: str) -> str:
    return "MRR" if metric == "mrr" else metric.replace("_", " ")


def _format_rank(rank: float) -> str:
    return "is excluded" if rank == math.inf else f"is {rank:.0f}."

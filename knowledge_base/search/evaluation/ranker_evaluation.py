"""Compare rankers on questions whose answers are known.

Questions count if an entry has at least one of their gold names; the number of others is reported. If several
entries have a gold name, the best-ranked one counts. Ranks start at 1. An excluded entry (score -inf) has no
rank.

recall@k               mean over questions of: golds ranked k or better / golds
found@5                recall@5, where a question that a search refuses counts 0
mrr                    mean of 1 / rank of the best-ranked gold; 0 if none is ranked
trap_at_or_above_gold  share of the questions with at least one trap in the base for which some trap is ranked
                       and no gold is ranked before it
false_exclusion        share of questions with at least one excluded gold
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ansatz.errors import InvalidData
from ansatz.knowledge_base.search.abstention import find_refusal_reason
from ansatz.knowledge_base.search.chinese_query import translate_question
from ansatz.knowledge_base.search.encoders import DEFAULT
from ansatz.knowledge_base.search.evaluation.labelled_questions import EntryNames, LabelledQuestion
from ansatz.knowledge_base.search.ranking import (
    Ranker,
    find_ranker,
    load_phrase_index,
    load_word_index,
    make_ranker,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from polars import DataFrame

    from ansatz.knowledge_base.equation.library import Library

DEPTHS = (1, 3, 5)
_WHICH = ("ranker", "id", "domain")
_METRICS = (
    *(f"recall@{depth}" for depth in DEPTHS),
    "found@5",
    "mrr",
    "trap_at_or_above_gold",
    "false_exclusion",
)
_BY_DOMAIN = ("recall@5", "trap_at_or_above_gold", "false_exclusion")
Progress = Callable[[str, int, int], None]
"""Called with the ranker's name, the number of questions done, and the number of all questions."""


@dataclass(frozen=True)
class Evaluation:
    """The result of each ranker on each question."""

    scores: DataFrame
    """A row for each ranker and question: `ranker`, `id`, `domain`, the contribution to each metric (None if
    it has none), and `miss`, a description of the ranker's error."""
    unmatched: tuple[dict[str, str], ...]
    """Names in the questions that no entry has."""
    left_out: tuple[str, ...]
    """Ids of questions whose gold names match no entry."""
    refused: tuple[str, ...] = ()
    """Ids of questions for which a search returns nothing; the evaluation still ranks entries for them."""

    def metrics(self, ranker: str, domain: str | None = None) -> dict[str, float]:
        """Return the metrics of one ranker, for all domains or one, with the numbers of questions."""
        scores = self.scores.filter(ranker=ranker, **({} if domain is None else {"domain": domain}))
        means = scores.select(_METRICS).mean().row(0, named=True)
        counts = {"n": len(scores), "with_traps": scores["trap_at_or_above_gold"].count()}
        return counts | {name: mean or 0.0 for name, mean in means.items()}

    def standard_errors(self, ranker: str) -> dict[str, float]:
        """Return the standard error of each metric over random questions; 0 for fewer than two."""
        scores = self.scores.filter(ranker=ranker).select(_METRICS)
        parts = zip(_METRICS, scores.std().row(0), scores.count().row(0), strict=True)
        return {name: (spread or 0.0) / math.sqrt(count or 1) for name, spread, count in parts}

    @property
    def rankers(self) -> list[str]:
        return self.scores["ranker"].unique(maintain_order=True).to_list()

    @property
    def domains(self) -> list[str]:
        return self.scores["domain"].unique().sort().to_list()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
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
        """Yield tables for readers: metrics with standard errors, then the main metrics by domain."""
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
                by_ranker = {name: self.metrics(name, domain) for name in self.rankers}
                shares = {name: f"{metrics[metric]:.3f}" for name, metrics in by_ranker.items()}
                count = f"{by_ranker[self.rankers[0]]['n']}"
                rows.append({_format_heading(metric): domain, "n": count, **shares})
            yield rows

    def remarks(self, misses: bool = False) -> Iterator[str]:
        """Yield lines on unmatched names, questions left out or refused, and, with `misses`, each error."""
        for name in self.unmatched:
            yield f"unmatched: {name['question']}: {name['field']}: {name['name']}"
        if self.left_out:
            yield f"left out, no gold matched: {len(self.left_out)} ({', '.join(self.left_out)})"
        if self.refused:
            yield f"a search returns nothing for {len(self.refused)} ({', '.join(self.refused)})"
        missed = self.scores.drop_nulls("miss").select("ranker", "id", "miss").rows() if misses else ()
        yield from (f"{ranker}: {id}: {miss}" for ranker, id, miss in missed)


def evaluate_rankers(
    questions: Iterable[LabelledQuestion],
    library: Library,
    rankers: Sequence[str],
    progress: Progress = lambda name, done, count: None,
    encoder: str = DEFAULT,
) -> Evaluation:
    """Score every ranker on every question, with an encoder for those that read meaning.

    Raises:
        SettingError: There is no such ranker or encoder.
        InvalidData: A ranker returns scores of another shape.
    """
    from polars import DataFrame, Float64, String

    factories = {name: find_ranker(name) for name in rankers}
    names, cases, unmatched, left_out = EntryNames(library), [], [], []
    for labelled in questions:
        ids_by_name = {
            field: {_join_names(name): names.find_ids(name) for name in getattr(labelled, field)}
            for field in ("gold", "traps")
        }
        unmatched += [
            {"question": labelled.id, "field": field, "name": name}
            for field, matches in ids_by_name.items()
            for name, ids in matches.items()
            if not ids
        ]
        gold = list(filter(None, ids_by_name["gold"].values()))
        traps = {id for ids in ids_by_name["traps"].values() for id in ids}.difference(*gold)
        if gold:
            cases.append((labelled, translate_question(labelled.question), gold, traps))
        else:
            left_out.append(labelled.id)
    ids, rows = [equation.id for equation in library], []
    refusals: dict[bool, list[str]] = {}
    for name, factory in factories.items():
        reads_meaning = getattr(factory, "reads_meaning", False)
        ranker = make_ranker(factory, library, encoder if reads_meaning else DEFAULT)
        with_meaning = reads_meaning and encoder == DEFAULT
        if with_meaning not in refusals:
            texts = {labelled.id: question for labelled, question, *_ in cases}
            refusals[with_meaning] = _find_refused(texts, library, with_meaning)
        for number, (labelled, question, gold, traps) in enumerate(cases, 1):
            scores = _compute_scores(name, ranker, question, len(ids))
            row = {"ranker": name, "id": labelled.id, "domain": labelled.domain}
            scored = score_question(gold, traps, ids, scores)
            found = 0.0 if labelled.id in refusals[with_meaning] else scored["recall@5"]
            rows.append(row | scored | {"found@5": found})
            progress(name, number, len(cases))
    schema = {**dict.fromkeys(_WHICH, String), **dict.fromkeys(_METRICS, Float64), "miss": String}
    refused = refusals.get(True, refusals.get(False, []))  # as a search does by default
    return Evaluation(DataFrame(rows, schema=schema), tuple(unmatched), tuple(left_out), tuple(refused))


def _find_refused(questions: Mapping[str, str], library: Library, with_meaning: bool) -> list[str]:
    """Return the ids of the questions for which a search returns nothing."""
    words, meaning = load_word_index(library), load_phrase_index(library, DEFAULT) if with_meaning else None
    return [id for id, text in questions.items() if find_refusal_reason(text, library, words, meaning)]


def score_question(
    gold: Sequence[Sequence[str]], traps: Iterable[str], ids: Sequence[str], scores: NDArray[np.float64]
) -> dict[str, Any]:
    """Compute the contribution of a question to each metric; ties retain the order of the library.

    Parameters:
        gold: For each gold name, the ids of the entries with it.
        traps: Ids of the traps.
        ids: The ids of all entries.
        scores: Their scores.
    """
    import numpy as np

    order = np.argsort(-scores, kind="stable")
    ranked = [ids[place] for place in order if scores[place] > -np.inf]
    ranks = {id: rank for rank, id in enumerate(ranked, 1)}
    gold_ranks = {" or ".join(named): min(ranks.get(id, math.inf) for id in named) for named in gold}
    best, worst = min(gold_ranks.values()), max(gold_ranks.values())
    trap = min((ranks.get(id, math.inf) for id in traps), default=math.inf)
    is_trapped = trap < math.inf and trap <= best
    miss = ", ".join(f"{named} {_format_rank(rank)}" for named, rank in gold_ranks.items())
    miss += (
        f"{f'; a trap {_format_rank(trap)}' if is_trapped else ''}; first is {ranked[0] if ranked else ''}"
    )
    recall = {
        f"recall@{depth}": sum(rank <= depth for rank in gold_ranks.values()) / len(gold_ranks)
        for depth in DEPTHS
    }
    return recall | {
        "mrr": 1 / best,
        "trap_at_or_above_gold": float(is_trapped) if traps else None,
        "false_exclusion": float(worst == math.inf),
        "miss": miss if worst > DEPTHS[-1] or is_trapped else None,
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


def _join_names(names: str | Sequence[str]) -> str:
    return names if isinstance(names, str) else " or ".join(names)

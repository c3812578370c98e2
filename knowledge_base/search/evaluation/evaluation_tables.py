"""An evaluation as rows and lines to read."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.knowledge_base.search.evaluation.ranker_evaluation import Evaluation, RankOutcome, standard_errors

_HEADS = {
    "recall@1": "recall@1",
    "recall@3": "recall@3",
    "recall@5": "recall@5",
    "mrr": "MRR",
    "trap_at_or_above_gold": "trap at or above gold",
    "false_exclusion": "false exclusion",
}


def by_ranker(found: Evaluation) -> list[dict[str, str]]:
    """A row for each ranker with its metrics and their standard errors."""
    rows = []
    for name in found.outcomes:
        values, errors = found.metrics(name), standard_errors(found.outcomes[name])
        row = {"ranker": name, "n": f"{values['n']:.0f}"}
        rows.append(row | {head: f"{values[key]:.3f} ± {errors[key]:.3f}" for key, head in _HEADS.items()})
    return rows


def by_domain(found: Evaluation, metric: str) -> list[dict[str, str]]:
    """A row for each domain with one metric of each ranker."""
    rows = []
    for domain in found.domains:
        values = {name: found.metrics(name, domain) for name in found.outcomes}
        count = max(int(each["n"]) for each in values.values())
        row = {_HEADS[metric]: domain, "n": str(count)}
        rows.append(row | {name: f"{each[metric]:.3f}" for name, each in values.items()})
    return rows


def unmatched_lines(found: Evaluation) -> Iterator[str]:
    """The names that no entry bears, and how many questions are left out for that."""
    for each in found.unmatched:
        yield f"unmatched: {each.question}: {each.field}: {each.name}"
    if found.left_out:
        yield f"left out, no gold matched: {len(found.left_out)} ({', '.join(found.left_out)})"


def miss_lines(found: Evaluation) -> Iterator[str]:
    """What each ranker got wrong, question by question."""
    for name, outcomes in found.outcomes.items():
        for each in outcomes:
            if each.missed:
                yield f"{name}: {each.asked.id}: {_what(each)}; first is {each.first}"


def _what(each: RankOutcome) -> str:
    ranks = ", ".join(
        f"{' or '.join(meant)} {_rank(rank)}" for meant, rank in zip(each.asked.gold, each.gold, strict=True)
    )
    return f"{ranks}; a trap {_rank(each.trap)}" if each.trapped else ranks


def _rank(rank: float) -> str:
    return "is excluded" if rank == float("inf") else f"is {rank:.0f}."

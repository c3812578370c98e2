"""Measure the search of equations on a file of questions inside and outside the base.

    .venv/bin/python -m benchmarks.equation_search FILE [--failures]

A line of FILE is {"id", "question", "inside": true or false, "gold": [ids], "traps": [ids]}. Any gold entry is
enough. A refused question counts as not found. A trap counts if it is ranked before every gold entry, and is
shown if it is among the first five then. A trap that a condition excludes is not ranked, and so never counts;
the result lists it as excluded. A trap is shown as applicable if it has neither an open condition nor a caution.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path

from ansatz.knowledge_base.search import Searcher

DEPTH = 5


@dataclass(frozen=True)
class Outcome:
    """The result of one question; ranks start at 1 and are infinite for entries that are not found."""

    id: str
    inside: bool
    answered: bool
    gold: float = math.inf
    trap: float = math.inf
    has_traps: bool = False
    is_applicable: bool = False
    """Whether a trap before every gold entry is shown without an open condition and without a caution."""
    ranked: float = math.inf
    """The rank of the gold entry if nothing were refused; infinite if a condition excludes it."""
    first: str = ""

    @property
    def is_found(self) -> bool:
        return self.gold <= DEPTH

    @property
    def is_trapped(self) -> bool:
        return self.trap < self.ranked

    @property
    def has_failed(self) -> bool:
        return not self.is_found or self.is_trapped if self.inside else self.answered


def measure_question(searcher: Searcher, fields: dict[str, object]) -> Outcome:
    """Search for one question and rank its gold entries and traps."""
    question, inside = str(fields["question"]), bool(fields["inside"])
    answered = not searcher.find_refusal(question)
    if not inside:
        return Outcome(str(fields["id"]), inside, answered)
    ids = searcher.rank_ids(question)
    hits = {hit.equation.id: hit for hit in searcher.search(question, DEPTH, prerequisites=False).hits}
    ranks = {id: rank for rank, id in enumerate(ids, 1)}
    gold, trap = (
        min((ranks.get(id, math.inf) for id in fields.get(name) or ()), default=math.inf)  # type: ignore[attr-defined]
        for name in ("gold", "traps")
    )
    return Outcome(
        str(fields["id"]),
        inside,
        answered,
        gold if answered else math.inf,
        trap,
        bool(fields.get("traps")),
        any(
            not hit.open and not hit.against and ranks[id] < gold
            for id, hit in hits.items()
            if id in (fields.get("traps") or ())  # type: ignore[operator]
        ),
        gold,
        ids[0] if ids else "",
    )


def _share(values: list[bool]) -> str:
    return f"{sum(values)}/{len(values)} = {sum(values) / len(values):.3f}" if values else "none"


def main(file: Path, failures: bool) -> None:
    searcher = Searcher()
    searcher.search("speed of sound in air at 300 K")
    start = time.process_time()
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    outcomes = [measure_question(searcher, line) for line in lines]
    spent = (time.process_time() - start) / len(outcomes)
    inside, outside = ([each for each in outcomes if each.inside is side] for side in (True, False))
    trapped = [each for each in inside if each.has_traps]
    print(f"recall@5, refused counted as missed  {_share([each.is_found for each in inside])}")
    print(f"recall@5, refusals not counted       {_share([each.ranked <= DEPTH for each in inside])}")
    print(f"a trap ranked before the gold entry  {_share([each.is_trapped for each in trapped])}")
    print(
        f"... and among the first five         {_share([each.is_trapped and each.trap <= DEPTH for each in trapped])}"
    )
    print(f"... and shown as applicable          {_share([each.is_applicable for each in trapped])}")
    print(f"gold entry excluded                  {_share([math.isinf(each.ranked) for each in inside])}")
    print(f"inside, answered                     {_share([each.answered for each in inside])}")
    print(f"outside, refused                     {_share([not each.answered for each in outside])}")
    print(f"{1000 * spent:.0f} ms of processor time a question")
    for each in filter(lambda outcome: failures and outcome.has_failed, outcomes):
        state = "" if each.answered else "refused; "
        ranks = f"gold {each.ranked:g}, trap {each.trap:g}, first {each.first}" if each.inside else "answered"
        print(f"  {each.id}: {state}{ranks}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file", type=Path)
    options.add_argument("--failures", action="store_true", help="list the questions with a failure")
    chosen = options.parse_args()
    main(chosen.file, chosen.failures)

"""The quality gate: raw candidates in, items that can be scored out, and a reason for every one that is not.

Five stages, each in a module of its own: schema (`candidate`), duplicates, units and dimensions, solvability
by the reference solution or a model, and human review. Then go or no-go for the whole (`readiness`), after
TPS-CalcBench (arXiv:2604.17966, section III.4).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ansatz.eval.data import dimensions, solvability
from ansatz.eval.data.candidate import Candidate, Note, Rejection, candidate, fields_of
from ansatz.eval.data.duplicates import THRESHOLD, merge_duplicates
from ansatz.eval.data.readiness import Check, readiness
from ansatz.eval.data.review import Disposition, check_current, queue_line
from ansatz.eval.data.solvability import SolvabilityOpinion
from ansatz.eval.data.splits import RATIO
from ansatz.eval.item import Item

STAGES = {1: "schema", 2: "duplicates", 3: "units and dimensions", 4: "solvability", 5: "review"}
MERGED = "merged_from"
"""The metadata field that lists the places of the near-duplicates an item stands for."""
FILES = ("accepted.jsonl", "rejected.jsonl", "review.jsonl", "provenance.jsonl", "funnel.json")


@dataclass(frozen=True)
class StageCount:
    """How many candidates entered and left a stage, and why the others did not leave it."""

    stage: int
    name: str
    entered: int
    left: int
    reasons: Mapping[str, int]


@dataclass(frozen=True)
class Gated:
    """What the gate made of a file. `go` is whether the accepted items may be used as a set."""

    accepted: tuple[Candidate, ...]
    queued: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...]
    funnel: tuple[StageCount, ...]
    checks: tuple[Check, ...]

    @property
    def go(self) -> bool:
        return all(check.go for check in self.checks)


def gate(
    candidates: Sequence[Candidate],
    malformed: Sequence[Rejection] = (),
    dispositions: Mapping[str, Disposition] | None = None,
    opinions: Mapping[str, SolvabilityOpinion] | None = None,
    *,
    review_all: bool = False,
    seed: int = 0,
) -> Gated:
    """Stages 2 to 5 for what `candidate.read` gave. `dispositions` are the reviewers' by id.

    `opinions` are a model's on solvability, by place; `unjudged` tells of which candidates it may be asked.
    Without a disposition an item with a warning waits in the queue, and every item with `review_all`.
    Raises InvalidData where a disposition was given for an item that has changed since. `seed` is that of
    the split on trial.
    """
    passed, refused = screen(candidates, opinions)
    check_current(passed, dispositions or {})
    accepted: list[Candidate] = []
    queued: list[Candidate] = []
    rejected = [*malformed, *refused]
    for each in passed:
        given = (dispositions or {}).get(each.item.id)
        outcome = _decided(each, given) if given and given.disposition else each
        if isinstance(outcome, Rejection):
            rejected.append(outcome)
        elif (review_all or outcome.is_doubtful) and not (given and given.disposition == "accept"):
            queued.append(outcome)
        else:
            accepted.append(outcome)
    items = [each.item for each in accepted]
    return Gated(
        tuple(accepted),
        tuple(queued),
        tuple(rejected),
        tuple(_funnel(len(candidates) + len(malformed), rejected, len(queued))),
        readiness(items, lambda items: len(screen(items)[0]), seed),
    )


def unjudged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those of which no reference solution shows that they can be solved, and nothing else rejects them."""
    passed, _ = screen(candidates)
    return [each for each in passed if any(note.check == solvability.CHECK for note in each.notes)]


def screen(
    candidates: Sequence[Candidate], opinions: Mapping[str, SolvabilityOpinion] | None = None
) -> tuple[list[Candidate], list[Rejection]]:
    """The automatic stages 2 to 4: what passed, with notes, and what did not."""
    kept, rejected = merge_duplicates(candidates)
    examined = [examine(each, opinions or {}) for each in kept]
    rejected += [each for each in examined if isinstance(each, Rejection)]
    return [each for each in examined if isinstance(each, Candidate)], rejected


def examine(each: Candidate, opinions: Mapping[str, SolvabilityOpinion]) -> Candidate | Rejection:
    """Units and solvability of one candidate: it with all notes, or the reason against it."""
    judged = solvability.judge(each, opinions)
    return judged if isinstance(judged, Rejection) else each.noted(*dimensions.notes(each), *judged)


def _decided(each: Candidate, given: Disposition) -> Candidate | Rejection:
    """What a reviewer's decision makes of a candidate. A revised item passes the automatic stages again."""
    if given.disposition == "reject":
        return Rejection.of(each, 5, "reviewer", given.comment or "rejected by a reviewer")
    if given.disposition == "accept":
        return each
    if given.edited is None:
        return each.noted(Note("revise", "a reviewer asks for a revision that is not made yet"))
    revised = candidate({**given.edited, "id": each.item.id}, each.place)
    if isinstance(revised, Candidate):
        revised = examine(revised, {})
    if isinstance(revised, Rejection):
        return Rejection.of(each, 5, "failed_repair", f"{revised.reason}: {revised.message}")
    return revised


def _funnel(total: int, rejected: Sequence[Rejection], queued: int) -> Iterator[StageCount]:
    """Counts in, out and by reason for each stage."""
    entered = total
    for stage, name in STAGES.items():
        reasons = Counter(each.reason for each in rejected if each.stage == stage)
        if stage == 5 and queued:
            reasons["awaits_review"] = queued
        left = entered - reasons.total()
        yield StageCount(stage, name, entered, left, dict(reasons.most_common()))
        entered = left


def write_gated(gated: Gated, out: Path, sources: Sequence[Path], seed: int) -> None:
    """Write the files of a gate's run to a folder, which is made; the manifest comes last.

    The manifest has no time in it, so that the same candidates give the same bytes.
    """
    out.mkdir(parents=True, exist_ok=True)
    write_lines(out / "accepted.jsonl", (fields_of(_final(each)) for each in gated.accepted))
    write_lines(out / "rejected.jsonl", map(_plain, gated.rejected))
    write_lines(out / "review.jsonl", map(queue_line, gated.queued))
    write_lines(out / "provenance.jsonl", ({"id": each.item.id, **each.history()} for each in gated.accepted))
    write_json(out / "funnel.json", summary(gated))
    manifest = {
        "go": gated.go,
        "duplicate_threshold": THRESHOLD,
        "split_on_trial": {"seed": seed, "ratio": list(RATIO)},
        "sources": {path.name: file_hash(path) for path in sources},
        "files": {name: file_hash(out / name) for name in FILES},
    }
    write_json(out / "manifest.json", manifest)


def summary(gated: Gated) -> dict[str, Any]:
    """The funnel and the checks as JSON has them."""
    return {
        "go": gated.go,
        "accepted": len(gated.accepted),
        "awaiting_review": len(gated.queued),
        "rejected": len(gated.rejected),
        "funnel": [asdict(stage) for stage in gated.funnel],
        "checks": [check.to_json() for check in gated.checks],
        "repaired": sum(bool(each.repairs) for each in gated.accepted),
    }


def _final(each: Candidate) -> Item:
    """The item with the places of the near-duplicates that it stands for."""
    if not each.merged:
        return each.item
    earlier = each.item.metadata.get(MERGED)
    places = "; ".join([*([earlier] if isinstance(earlier, str) else []), *each.merged])
    return each.item.model_copy(update={"metadata": {**each.item.metadata, MERGED: places}})


def _plain(rejection: Rejection) -> dict[str, Any]:
    """A rejection as JSON has it: infinities, for which a record may have been refused, are text."""
    fields: dict[str, Any] = json.loads(json.dumps(asdict(rejection)), parse_constant=str)
    return fields


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """A JSON Lines file, one object a line."""
    text = "".join(f"{json.dumps(line, ensure_ascii=False, allow_nan=False)}\n" for line in lines)
    # Half of a surrogate pair, which a rejected record may hold, is written as JSON escapes it.
    path.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")


def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

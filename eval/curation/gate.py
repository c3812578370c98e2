"""The quality gate: raw candidates in, items that can be scored out, and a reason for every one that is not.

Five stages, each in a module of its own: schema (`reading`, `repair`, `itemising`), duplicates, units and
dimensions, solvability by the reference solution or a model, and human review. Then go or no-go for the whole
(`readiness`), after TPS-CalcBench (arXiv:2604.17966, section III.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ansatz.eval.curation import solvability, units
from ansatz.eval.curation.candidates import Candidate, Note, Rejection
from ansatz.eval.curation.duplicates import merge_duplicates
from ansatz.eval.curation.itemising import item_fields, read_item
from ansatz.eval.curation.readiness import Check, readiness
from ansatz.eval.curation.repair import garbage, repair, unreadable_signs
from ansatz.eval.curation.review import Disposition, Queued, check_current, queue
from ansatz.eval.curation.solvability import Opinion
from ansatz.eval.item import Item

STAGES = {1: "schema", 2: "duplicates", 3: "units and dimensions", 4: "solvability", 5: "review"}


@dataclass(frozen=True)
class Accepted:
    """An item of the final set and the candidate behind it."""

    item: Item
    candidate: Candidate


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

    accepted: tuple[Accepted, ...]
    queued: tuple[Queued, ...]
    rejected: tuple[Rejection, ...]
    funnel: tuple[StageCount, ...]
    checks: tuple[Check, ...]

    @property
    def go(self) -> bool:
        return all(check.go for check in self.checks)


@dataclass(frozen=True)
class Screened:
    """What passed the automatic stages, each with its item, and what did not."""

    passed: tuple[Accepted, ...]
    rejected: tuple[Rejection, ...]


def gate(
    candidates: Sequence[Candidate],
    malformed: Sequence[Rejection],
    dispositions: Mapping[str, Disposition] | None = None,
    opinions: Mapping[str, Opinion] | None = None,
    *,
    review_all: bool = False,
    seed: int = 0,
) -> Gated:
    """All five stages. `malformed` are the lines that were no record, `dispositions` the reviewers' by id.

    `opinions` are a model's on solvability, by place; `unjudged` tells of which candidates it may be asked.

    Without a disposition an item with a warning waits in the queue, and every item with `review_all`.
    Raises InvalidData where a disposition was given for an item that has changed since. `seed` is that of
    the split on trial.
    """
    screened = screen(candidates, opinions)
    accepted, queued, refused = _reviewed(screened.passed, dispositions or {}, review_all)
    rejected = [*malformed, *screened.rejected, *refused]
    checks = readiness([each.item for each in accepted], lambda items: len(screen(items).passed), seed)
    return Gated(
        tuple(accepted),
        tuple(queued),
        tuple(rejected),
        _funnel(len(candidates) + len(malformed), rejected, len(queued)),
        tuple(checks),
    )


def unjudged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those of which no reference solution shows that they can be solved, and nothing else rejects them."""
    return [
        each.candidate
        for each in screen(candidates).passed
        if any(note.check == solvability.CHECK for note in each.candidate.notes)
    ]


def screen(candidates: Sequence[Candidate], opinions: Mapping[str, Opinion] | None = None) -> Screened:
    """The automatic stages 1 to 4. `opinions` are a model's on solvability, by place."""
    rejected: list[Rejection] = []
    repaired = []
    for candidate in candidates:
        fixed = repair(candidate)
        if problem := garbage(fixed.question):
            rejected.append(Rejection.of(candidate, 1, "unreadable", problem))
        else:
            repaired.append(fixed)
    kept, duplicates = merge_duplicates(repaired)
    unique, repeated = _without_repeated_ids(kept)
    rejected += [*duplicates, *repeated]
    passed = []
    for candidate in unique:
        judged = examine(candidate, opinions or {})
        if isinstance(judged, Rejection):
            rejected.append(judged)
        else:
            passed.append(judged)
    return Screened(tuple(passed), tuple(rejected))


def examine(candidate: Candidate, opinions: Mapping[str, Opinion]) -> Accepted | Rejection:
    """Schema, units and solvability of one candidate: its item with all notes, or the reason against it."""
    if problem := units.rejection(candidate):
        return Rejection.of(candidate, 3, "target", problem)
    item, wrong = read_item(item_fields(candidate))
    if item is None:
        return Rejection.of(candidate, 1, "schema", "; ".join(wrong))
    judged = solvability.judge(candidate, item, opinions)
    if isinstance(judged, Rejection):
        return judged
    lost = unreadable_signs(candidate.text)
    signs = [Note("unreadable", f"{lost} characters of the text were lost")] if lost else []
    return Accepted(item, candidate.noted(*signs, *units.notes(candidate), *judged))


def _without_repeated_ids(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Rejection]]:
    first: dict[str, str] = {}
    unique, repeated = [], []
    for candidate in candidates:
        place = first.setdefault(candidate.id, candidate.place)
        if place == candidate.place:
            unique.append(candidate)
        else:
            message = f"{candidate.id!r} is already another item, at {place}"
            repeated.append(Rejection.of(candidate, 1, "repeated_id", message))
    return unique, repeated


def _reviewed(
    passed: Sequence[Accepted], dispositions: Mapping[str, Disposition], review_all: bool
) -> tuple[list[Accepted], list[Queued], list[Rejection]]:
    """Stage 5: what is clean passes, the rest follows its disposition or waits for one."""
    check_current([(each.item, each.candidate) for each in passed], dispositions)
    accepted: list[Accepted] = []
    queued, rejected = [], []
    for each in passed:
        warned = any(note.severity == "warn" for note in each.candidate.notes)
        given = dispositions.get(each.item.id)
        if given is None or not given.disposition:
            if warned or review_all:
                queued.append(queue(each.item, each.candidate))
            else:
                accepted.append(each)
            continue
        outcome = _decided(each, given)
        if isinstance(outcome, Accepted):
            accepted.append(outcome)
        elif isinstance(outcome, Queued):
            queued.append(outcome)
        else:
            rejected.append(outcome)
    return accepted, queued, rejected


def _decided(each: Accepted, given: Disposition) -> Accepted | Queued | Rejection:
    if given.disposition == "reject":
        return Rejection.of(each.candidate, 5, "reviewer", given.comment or "rejected by a reviewer")
    if given.disposition == "accept":
        return each
    if given.edited is None:
        note = Note("revise", "a reviewer asks for a revision that is not made yet")
        return queue(each.item, each.candidate.noted(note))
    # A revised item passes the automatic checks again; only a reviewer lets one with warnings through.
    revised = examine(replace(each.candidate, fields={**given.edited, "id": each.item.id}, notes=()), {})
    if isinstance(revised, Rejection):
        return replace(
            revised, stage=5, reason="failed_repair", message=f"{revised.reason}: {revised.message}"
        )
    if any(note.severity == "warn" for note in revised.candidate.notes):
        return queue(revised.item, revised.candidate)
    return revised


def _funnel(total: int, rejected: Sequence[Rejection], queued: int) -> tuple[StageCount, ...]:
    """Counts in, out and by reason for each stage."""
    counts = []
    entered = total
    for stage, name in STAGES.items():
        reasons = Counter(each.reason for each in rejected if each.stage == stage)
        if stage == 5 and queued:
            reasons["awaits_review"] = queued
        left = entered - reasons.total()
        counts.append(StageCount(stage, name, entered, left, dict(reasons.most_common())))
        entered = left
    return tuple(counts)

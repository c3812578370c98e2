"""The quality gate: raw candidates in, items that can be scored out, and a reason for every one that is not.

Five stages, each in a module of its own: schema (`candidate`), duplicates, units and dimensions, solvability
by the reference solution or a model, and human review. Then go or no-go for the whole (`readiness`), after
TPS-CalcBench (arXiv:2604.17966, section III.4).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ansatz.eval.data import dimensions, solvability
from ansatz.eval.data.candidate import Candidate, Note, Rejection, candidate
from ansatz.eval.data.duplicates import THRESHOLD, merge_duplicates
from ansatz.eval.data.readiness import ReadinessFigure, readiness
from ansatz.eval.data.review import Disposition, check_current, queue_line
from ansatz.eval.data.set_files import file_hash, json_lines, json_text, write_folder
from ansatz.eval.data.solvability import SolvabilityOpinion
from ansatz.eval.data.splits import RATIO

STAGES = ("schema", "duplicates", "units and dimensions", "solvability", "review")


@dataclass(frozen=True)
class Gated:
    """What the gate made of a file. `go` is whether the accepted items may be used as a set."""

    accepted: tuple[Candidate, ...]
    queued: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...]
    checks: tuple[ReadinessFigure, ...]

    @property
    def go(self) -> bool:
        return all(figure.go is not False for figure in self.checks)

    def funnel(self) -> list[dict[str, Any]]:
        """How many candidates entered and left each stage, and why the others did not leave it."""
        rows = []
        entered = len(self.accepted) + len(self.queued) + len(self.rejected)
        for stage, name in enumerate(STAGES, start=1):
            reasons = Counter(each.reason for each in self.rejected if each.stage == stage)
            if name == "review" and self.queued:
                reasons["awaits_review"] = len(self.queued)
            left = entered - reasons.total()
            counts = {"stage": stage, "name": name, "entered": entered, "left": left}
            rows.append({**counts, "reasons": dict(reasons.most_common())})
            entered = left
        return rows

    def summary(self) -> dict[str, Any]:
        """The funnel and the checks as JSON has them."""
        return {
            "go": self.go,
            "accepted": len(self.accepted),
            "awaiting_review": len(self.queued),
            "rejected": len(self.rejected),
            "funnel": self.funnel(),
            "checks": [figure.row() for figure in self.checks],
            "repaired": sum(bool(each.repairs) for each in self.accepted),
        }

    def write(self, out: Path, sources: Sequence[Path], seed: int) -> None:
        """Write the files of a gate's run to a folder. The same candidates give the same bytes."""
        # Infinities, for which a record may have been refused, are written as text.
        rejected = [json.loads(json.dumps(asdict(each)), parse_constant=str) for each in self.rejected]
        history = ({"id": each.item.id, **each.history()} for each in self.accepted)
        texts = {
            "accepted.jsonl": json_lines(each.item.fields() for each in self.accepted),
            "rejected.jsonl": json_lines(rejected),
            "review.jsonl": json_lines(map(queue_line, self.queued)),
            "provenance.jsonl": json_lines(history),
            "funnel.json": json_text(self.summary()),
        }
        about = {
            "go": self.go,
            "duplicate_threshold": THRESHOLD,
            "split_on_trial": {"seed": seed, "ratio": list(RATIO)},
            "sources": {path.name: file_hash(path) for path in sources},
        }
        write_folder(out, texts, about)


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
    decisions = dispositions or {}
    passed, refused = screen(candidates, opinions)
    check_current(passed, decisions)
    accepted: list[Candidate] = []
    queued: list[Candidate] = []
    rejected = [*malformed, *refused]
    for each in passed:
        given = decisions.get(each.item.id)
        outcome = _decided(each, given) if given else each
        if isinstance(outcome, Rejection):
            rejected.append(outcome)
        elif (review_all or outcome.is_doubtful) and not (given and given.disposition == "accept"):
            queued.append(outcome)
        else:
            accepted.append(outcome)
    checks = tuple(readiness([each.item for each in accepted], seed))
    return Gated(tuple(accepted), tuple(queued), tuple(rejected), checks)


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
        return each.rejected(5, "reviewer", given.comment or "rejected by a reviewer")
    if given.disposition != "revise":
        return each
    if given.edited is None:
        return each.noted(Note("revise", "a reviewer asks for a revision that is not made yet"))
    revised = candidate({**given.edited, "id": each.item.id}, each.place)
    if isinstance(revised, Candidate):
        revised = examine(revised, {})
    if isinstance(revised, Rejection):
        return each.rejected(5, "failed_repair", f"{revised.reason}: {revised.message}")
    return revised

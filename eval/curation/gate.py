"""The quality gate: select the candidates that can be scored, and give a reason for every other one.

It has five stages, each in a separate module: schema (`candidate`), duplicates, units and dimensions,
solvability by the reference solution or a model, and human review. Then `readiness` decides go or no-go for
the whole set, as in TPS-CalcBench (arXiv:2604.17966, section III.4).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ansatz.eval.curation.candidate import Candidate, Note, Rejection, parse_candidate
from ansatz.eval.curation.dimensions import check_dimensions
from ansatz.eval.curation.duplicates import THRESHOLD, merge_duplicates
from ansatz.eval.curation.readiness import ReadinessFigure, measure_readiness
from ansatz.eval.curation.review import Disposition, check_current, format_queue_line
from ansatz.eval.curation.set_files import format_json, format_json_lines, hash_file, write_folder
from ansatz.eval.curation.solvability import CHECK, SolvabilityOpinion, check_solvability
from ansatz.eval.curation.splits import RATIO

STAGES = ("schema", "duplicates", "units and dimensions", "solvability", "review")


@dataclass(frozen=True)
class GateResult:
    """The result of the gate for one file."""

    accepted: tuple[Candidate, ...]
    """Candidates that can be scored."""
    queued: tuple[Candidate, ...]
    """Candidates that wait for a review."""
    rejected: tuple[Rejection, ...]
    """All other candidates, with reasons."""
    checks: tuple[ReadinessFigure, ...]
    """The readiness of the accepted set."""

    @property
    def go(self) -> bool:
        """Whether the accepted items may be used as a set."""
        return all(figure.go is not False for figure in self.checks)

    def funnel(self) -> list[dict[str, Any]]:
        """Return how many candidates entered and passed each stage, and the reasons of the others."""
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
        """Return the funnel and the checks as JSON."""
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
        """Write the result to a folder. The same candidates give the same bytes."""
        # A rejected record may contain infinities, which are written as text.
        rejected = [json.loads(json.dumps(asdict(each)), parse_constant=str) for each in self.rejected]
        history = ({"id": each.item.id, **each.history()} for each in self.accepted)
        texts = {
            "accepted.jsonl": format_json_lines(each.item.to_fields() for each in self.accepted),
            "rejected.jsonl": format_json_lines(rejected),
            "review.jsonl": format_json_lines(map(format_queue_line, self.queued)),
            "provenance.jsonl": format_json_lines(history),
            "funnel.json": format_json(self.summary()),
        }
        about = {
            "go": self.go,
            "duplicate_threshold": THRESHOLD,
            "split_on_trial": {"seed": seed, "ratio": list(RATIO)},
            "sources": {path.name: hash_file(path) for path in sources},
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
) -> GateResult:
    """Run stages 2 to 5 on the result of `read_candidates`.

    Parameters
    ----------
    dispositions
        The reviewers' decisions by item id. An item with a warning and without a decision is queued.
    opinions
        A model's opinions on solvability by place; `select_unjudged` lists the candidates to request them
        for.
    review_all
        Whether to queue items without a warning as well.
    seed
        Seed of the trial split.

    Raises
    ------
    InvalidData
        If a disposition is for an item that has changed since.
    """
    decisions = dispositions or {}
    passed, refused = screen_candidates(candidates, opinions)
    check_current(passed, decisions)
    accepted: list[Candidate] = []
    queued: list[Candidate] = []
    rejected = [*malformed, *refused]
    for each in passed:
        given = decisions.get(each.item.id)
        outcome = _apply_disposition(each, given) if given else each
        if isinstance(outcome, Rejection):
            rejected.append(outcome)
        elif (review_all or outcome.has_warning) and not (given and given.disposition == "accept"):
            queued.append(outcome)
        else:
            accepted.append(outcome)
    checks = tuple(measure_readiness([each.item for each in accepted], seed))
    return GateResult(tuple(accepted), tuple(queued), tuple(rejected), checks)


def select_unjudged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Select the candidates that pass the automatic stages without a reference solution that proves them."""
    passed, _ = screen_candidates(candidates)
    return [each for each in passed if any(note.check == CHECK for note in each.notes)]


def screen_candidates(
    candidates: Sequence[Candidate], opinions: Mapping[str, SolvabilityOpinion] | None = None
) -> tuple[list[Candidate], list[Rejection]]:
    """Run the automatic stages 2 to 4; returns candidates with notes, and rejections."""
    kept, rejected = merge_duplicates(candidates)
    examined = [examine_candidate(each, opinions or {}) for each in kept]
    rejected += [each for each in examined if isinstance(each, Rejection)]
    return [each for each in examined if isinstance(each, Candidate)], rejected


def examine_candidate(
    candidate: Candidate, opinions: Mapping[str, SolvabilityOpinion]
) -> Candidate | Rejection:
    """Check units and solvability of one candidate; returns it with notes, or its rejection."""
    checked = check_solvability(candidate, opinions)
    if isinstance(checked, Rejection):
        return checked
    return candidate.add_notes(*check_dimensions(candidate), *checked)


def _apply_disposition(candidate: Candidate, decision: Disposition) -> Candidate | Rejection:
    """Apply a reviewer's decision. A revised item passes the automatic stages again."""
    if decision.disposition == "reject":
        return candidate.reject(5, "reviewer", decision.comment or "rejected by a reviewer")
    if decision.disposition != "revise":
        return candidate
    if decision.edited is None:
        return candidate.add_notes(Note("revise", "a reviewer requested a revision; the item is unchanged"))
    revised = parse_candidate({**decision.edited, "id": candidate.item.id}, candidate.place)
    if isinstance(revised, Candidate):
        revised = examine_candidate(revised, {})
    if isinstance(revised, Rejection):
        return candidate.reject(5, "failed_repair", f"{revised.reason}: {revised.message}")
    return revised

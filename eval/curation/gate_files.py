"""What the gate leaves behind: items, rejections, the review queue, the funnel and hashes of it all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ansatz.eval.curation.duplicates import THRESHOLD
from ansatz.eval.curation.gate import Gated
from ansatz.eval.curation.review import fields_of, write_lines
from ansatz.eval.curation.splits import RATIO

FILES = ("accepted.jsonl", "rejected.jsonl", "review.jsonl", "provenance.jsonl", "funnel.json")


def write_gated(gated: Gated, out: Path, sources: Sequence[Path], seed: int) -> None:
    """Write the files of a gate's run to a folder, which is made; the manifest comes last.

    The manifest has no time in it, so that the same candidates give the same bytes.
    """
    out.mkdir(parents=True, exist_ok=True)
    write_lines(out / "accepted.jsonl", (fields_of(each.item) for each in gated.accepted))
    write_lines(out / "rejected.jsonl", (asdict(each) for each in gated.rejected))
    write_lines(out / "review.jsonl", (each.line() for each in gated.queued))
    write_lines(out / "provenance.jsonl", _provenance(gated))
    _write_json(out / "funnel.json", summary(gated))
    manifest = {
        "go": gated.go,
        "duplicate_threshold": THRESHOLD,
        "split_on_trial": {"seed": seed, "ratio": list(RATIO)},
        "sources": {path.name: file_hash(path) for path in sources},
        "files": {name: file_hash(out / name) for name in FILES},
    }
    _write_json(out / "manifest.json", manifest)


def summary(gated: Gated) -> dict[str, Any]:
    """The funnel and the checks as JSON has them."""
    repairs: dict[str, int] = {}
    for each in gated.accepted:
        for repair in each.candidate.repairs:
            repairs[repair.rule] = repairs.get(repair.rule, 0) + 1
    return {
        "go": gated.go,
        "accepted": len(gated.accepted),
        "awaiting_review": len(gated.queued),
        "rejected": len(gated.rejected),
        "funnel": [asdict(stage) for stage in gated.funnel],
        "checks": [
            {
                "name": check.name,
                "verdict": verdict(check.go),
                "figures": [{**asdict(figure), "verdict": verdict(figure.go)} for figure in check.figures],
            }
            for check in gated.checks
        ],
        "repairs": dict(sorted(repairs.items())),
    }


def verdict(go: bool | None) -> str:
    return "not judged" if go is None else "go" if go else "no-go"


def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _provenance(gated: Gated) -> Iterator[Mapping[str, Any]]:
    for each in gated.accepted:
        candidate = each.candidate
        yield {
            "id": each.item.id,
            "place": candidate.place,
            "merged": list(candidate.merged),
            "repairs": [asdict(repair) for repair in candidate.repairs],
            "annotations": [asdict(note) for note in candidate.notes],
        }


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")

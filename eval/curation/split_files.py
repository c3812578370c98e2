"""A split as files: the items of each part as their lines stood, and the manifest."""

from __future__ import annotations

import json
from pathlib import Path

from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.curation.gate_files import file_hash
from ansatz.eval.curation.splits import PARTS, Split, manifest, split
from ansatz.eval.problem import Problem
from ansatz.eval.problem_files import load


def split_file(path: Path, ratio: tuple[float, ...], seed: int) -> tuple[Split, tuple[Problem, ...]]:
    """The items of a file in the item schema, and their split. Raises InvalidData."""
    problems = load(str(path))
    return split(problems, seed, ratio), problems


def write_split(made: Split, problems: tuple[Problem, ...], source: Path, out: Path) -> dict[str, object]:
    """Write train.jsonl, dev.jsonl, test.jsonl and split_manifest.json; the manifest is returned.

    Nothing in the files depends on the order of the items or on time: the same seed gives the same bytes.
    """
    lines = [line for line in source.read_text(encoding="utf-8-sig").split("\n") if line.strip()]
    by_id = dict(zip((problem.id for problem in problems), lines, strict=True))
    out.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        text = "".join(f"{by_id[id].strip()}\n" for id in made.ids(part))
        (out / f"{part}.jsonl").write_text(text, encoding="utf-8")
    written = manifest(made, problems) | {
        "files": {f"{part}.jsonl": file_hash(out / f"{part}.jsonl") for part in PARTS}
    }
    text = json.dumps(written, indent=2, ensure_ascii=False) + "\n"
    (out / "split_manifest.json").write_text(text, encoding="utf-8")
    return written


def parse_ratio(text: str) -> tuple[float, ...]:
    """Shares such as "60/20/20". Raises InvalidData."""
    try:
        shares = tuple(float(part) for part in text.replace(",", "/").split("/"))
    except ValueError:
        shares = ()
    if len(shares) != len(PARTS) or not all(0 < share < float("inf") for share in shares):
        raise InvalidData(f"--ratio: {text!r} is not three shares such as 60/20/20")
    return shares

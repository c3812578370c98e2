"""Split problems into train, development and test parts that share no source and have similar levels.

Items from one template or one chapter resemble each other, so each group of them is in one part as a whole
(TPS-CalcBench, arXiv:2604.17966, section III.6).
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ansatz.errors import InvalidData
from ansatz.eval.curation.set_files import hash_json, write_folder
from ansatz.eval.problem import Problem
from ansatz.eval.problem_files import format_line
from ansatz.eval.problem_schema import METADATA
from ansatz.eval.problem_tables import CSV, PARQUET

PARTS = ("train", "dev", "test")
RATIO = (0.6, 0.2, 0.2)
_SOURCE_FIELDS = ("source", "chapter", "source_chapter")
_TRIALS = 30


@dataclass(frozen=True)
class Split:
    """A split of problems into parts."""

    seed: int
    ratio: tuple[float, ...]
    items: tuple[Mapping[str, str], ...]
    """Each item by id: id, family, group, level, part (`split`) and the hash of its content."""

    def ids(self, part: str) -> list[str]:
        """List the ids of a part."""
        return [item["id"] for item in self.items if item["split"] == part]

    def select(self, part: str, problems: Sequence[Problem]) -> list[Problem]:
        """Select the problems of a part, in the order given."""
        ids = set(self.ids(part))
        return [problem for problem in problems if problem.id in ids]

    def shares(self) -> dict[str, dict[str, float]]:
        """Compute the share of each part for each level and for all items ("all")."""
        rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for item in self.items:
            rows[item["level"]][item["split"]] += 1
            rows["all"][item["split"]] += 1
        return {
            level: {part: counts[part] / counts.total() for part in PARTS}
            for level, counts in sorted(rows.items())
        }

    def manifest(self) -> dict[str, object]:
        """Return what reproduces the split: seed, ratio, shares by level, and each item's part and hash."""
        groups = {part: {item["group"] for item in self.items if item["split"] == part} for part in PARTS}
        return {
            "seed": self.seed,
            "ratio": list(self.ratio),
            "counts": {part: len(self.ids(part)) for part in PARTS},
            "groups": {part: len(names) for part, names in groups.items()},
            "shares": self.shares(),
            "sha256": hash_json(self.items),
            "items": list(self.items),
        }


def split_problems(problems: Sequence[Problem], seed: int, ratio: Sequence[float] = RATIO) -> Split:
    """Assign whole groups to three parts so that each level is close to the ratio.

    The result does not depend on the order of the problems.

    Raises
    ------
    InvalidData
        If there are fewer groups than parts.
    """
    shares = tuple(share / sum(ratio) for share in ratio)
    group = group_problems(problems)
    level = {each.id: str(each.tags.get("level") or "unknown") for each in problems}
    members: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for id, name in group.items():
        members[name][level[id]] += 1
    if len(members) < len(PARTS):
        raise InvalidData(
            f"{len(members)} group{'s' * (len(members) != 1)} of items that share a source cannot fill "
            f"{len(PARTS)} parts"
        )
    parts = _assign_parts(members, shares, seed)
    items = (
        {
            "id": each.id,
            "family": each.family,
            "group": group[each.id],
            "level": level[each.id],
            "split": PARTS[parts[group[each.id]]],
            "sha256": hash_json(each.model_dump(mode="json")),
        }
        for each in sorted(problems, key=lambda each: each.id)
    )
    return Split(seed, shares, tuple(items))


def group_problems(problems: Sequence[Problem]) -> dict[str, str]:
    """Return the group of each item: items that share a family or a chapter, directly or through others.

    An item's chapter is its metadata `chapter` (or `source_chapter`) within its `source`; without a chapter,
    the source counts. The name of a group is the first of its families.
    """
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    for problem in problems:
        for key in _group_keys(problem)[1:]:
            first, second = sorted((find(_group_keys(problem)[0]), find(key)))
            root[second] = first
    return {problem.id: find(_group_keys(problem)[0]).removeprefix("family ") for problem in problems}


def write_split(split: Split, problems: Sequence[Problem], source: Path, out: Path) -> dict[str, object]:
    """Write train.jsonl, dev.jsonl, test.jsonl and split_manifest.json, and return the manifest.

    Each item is copied as its line in the source; the rows of a table become lines. The files do not depend
    on the order of the items or on time: the same seed gives the same bytes.
    """
    if source.suffix.lower() in (*CSV, *PARQUET):
        lines = list(map(format_line, problems))
    else:
        lines = [line.strip() for line in source.read_text(encoding="utf-8-sig").split("\n") if line.strip()]
    by_id = dict(zip((problem.id for problem in problems), lines, strict=True))
    texts = {f"{part}.jsonl": "".join(f"{by_id[id]}\n" for id in split.ids(part)) for part in PARTS}
    return write_folder(out, texts, split.manifest(), "split_manifest.json")


def parse_ratio(text: str) -> tuple[float, ...]:
    """Parse shares such as "60/20/20". Raises InvalidData."""
    try:
        shares = tuple(float(part) for part in text.replace(",", "/").split("/"))
    except ValueError:
        shares = ()
    if len(shares) != len(PARTS) or not all(0 < share < math.inf for share in shares):
        raise InvalidData(f"--ratio: {text!r} is not three shares such as 60/20/20")
    return shares


def _group_keys(problem: Problem) -> list[str]:
    """Return the keys of an item that form groups: its family, and its chapter or source."""
    source, chapter, other = (problem.tags.get(f"{METADATA}{name}") or "" for name in _SOURCE_FIELDS)
    place = f"source {source} / {chapter or other}" if source or chapter or other else ""
    return [f"family {problem.family}", *([place] if place else [])]


def _assign_parts(members: Mapping[str, Counter[str]], ratio: Sequence[float], seed: int) -> dict[str, int]:
    """Assign a part to each group: the best of several greedy trials, which place large groups first.

    The error of a trial sums squared differences from the due counts, by level and in all, relative to the
    due counts.
    """
    rng = random.Random(f"split/{seed}")
    names = sorted(members)
    levels = sorted(set().union(*members.values()))
    sizes = np.array([[members[name].total(), *(members[name][each] for each in levels)] for name in names])
    due = np.outer(ratio, sizes.sum(axis=0))
    best: tuple[float, list[int]] = (math.inf, [])
    for _ in range(_TRIALS):
        order = sorted(range(len(names)), key=lambda group: -sizes[group, 0] * rng.uniform(0.5, 1))
        counts, parts = np.zeros_like(due), [0] * len(names)
        for left, group in zip(range(len(order), 0, -1), order, strict=True):
            cost = (((counts + sizes[group] - due) ** 2 - (counts - due) ** 2) / due).sum(axis=1)
            empty = counts[:, 0] == 0  # every part must get a group
            parts[group] = int(np.where(empty | (left > empty.sum()), cost, math.inf).argmin())
            counts[parts[group]] += sizes[group]
        best = min(best, (round(float(((counts - due) ** 2 / due).sum()), 9), parts))
    return dict(zip(names, best[1], strict=True))

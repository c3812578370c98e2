"""Train, development and test parts that share no source, each with every level in its due share.

Items made from one template, or taken from one chapter, resemble each other, so a group of them lies in one
part as a whole (TPS-CalcBench, arXiv:2604.17966, section III.6).
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
from ansatz.eval.data.set_files import hash_of, write_folder
from ansatz.eval.item import METADATA
from ansatz.eval.problem import Problem

PARTS = ("train", "dev", "test")
RATIO = (0.6, 0.2, 0.2)
_PLACE = ("source", "chapter", "source_chapter")
_DEALS = 30


@dataclass(frozen=True)
class Split:
    """Each item in the order of ids: id, family, group, level, part (`split`) and the hash of its content."""

    seed: int
    ratio: tuple[float, ...]
    items: tuple[Mapping[str, str], ...]

    def ids(self, part: str) -> list[str]:
        return [item["id"] for item in self.items if item["split"] == part]

    def chosen(self, part: str, problems: Sequence[Problem]) -> list[Problem]:
        """The problems of a part, in their own order."""
        ids = set(self.ids(part))
        return [problem for problem in problems if problem.id in ids]

    def shares(self) -> dict[str, dict[str, float]]:
        """For each level and for all items ("all"), the share of each part."""
        rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for item in self.items:
            rows[item["level"]][item["split"]] += 1
            rows["all"][item["split"]] += 1
        return {
            level: {part: counts[part] / counts.total() for part in PARTS}
            for level, counts in sorted(rows.items())
        }

    def manifest(self) -> dict[str, object]:
        """What reproduces a split: seed, ratio, shares by level, and each item's part, group and content."""
        groups = {part: {item["group"] for item in self.items if item["split"] == part} for part in PARTS}
        return {
            "seed": self.seed,
            "ratio": list(self.ratio),
            "counts": {part: len(self.ids(part)) for part in PARTS},
            "groups": {part: len(held) for part, held in groups.items()},
            "shares": self.shares(),
            "sha256": hash_of(self.items),
            "items": list(self.items),
        }


def split(problems: Sequence[Problem], seed: int, ratio: Sequence[float] = RATIO) -> Split:
    """Whole groups dealt to three parts so that each level comes near the ratio; the same for every order.

    Raises InvalidData where there are fewer groups than parts.
    """
    shares = tuple(share / sum(ratio) for share in ratio)
    group = groups(problems)
    level = {each.id: str(each.tags.get("level") or "unknown") for each in problems}
    members: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for id, name in group.items():
        members[name][level[id]] += 1
    if len(members) < len(PARTS):
        raise InvalidData(
            f"{len(members)} group{'s' * (len(members) != 1)} of items that share a source cannot fill "
            f"{len(PARTS)} parts"
        )
    dealt = _deal(members, shares, seed)
    items = (
        {
            "id": each.id,
            "family": each.family,
            "group": group[each.id],
            "level": level[each.id],
            "split": PARTS[dealt[group[each.id]]],
            "sha256": hash_of(each.model_dump(mode="json")),
        }
        for each in sorted(problems, key=lambda each: each.id)
    )
    return Split(seed, shares, tuple(items))


def groups(problems: Sequence[Problem]) -> dict[str, str]:
    """The group of each item: all that share a family or a chapter, directly or through others.

    An item's chapter is its metadata `chapter` (or `source_chapter`) within its `source`; a source alone
    counts where no chapter is given. A group is named by the first of its families.
    """
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    for problem in problems:
        for key in _keys(problem)[1:]:
            first, second = sorted((find(_keys(problem)[0]), find(key)))
            root[second] = first
    return {problem.id: find(_keys(problem)[0]).removeprefix("family ") for problem in problems}


def write_split(made: Split, problems: Sequence[Problem], source: Path, out: Path) -> dict[str, object]:
    """Write train.jsonl, dev.jsonl, test.jsonl and split_manifest.json; the manifest is returned.

    The items stand as their lines in the source. Nothing in the files depends on the order of the items or on
    time: the same seed gives the same bytes.
    """
    lines = [line.strip() for line in source.read_text(encoding="utf-8-sig").split("\n") if line.strip()]
    by_id = dict(zip((problem.id for problem in problems), lines, strict=True))
    texts = {f"{part}.jsonl": "".join(f"{by_id[id]}\n" for id in made.ids(part)) for part in PARTS}
    return write_folder(out, texts, made.manifest(), "split_manifest.json")


def parse_ratio(text: str) -> tuple[float, ...]:
    """Shares such as "60/20/20". Raises InvalidData."""
    try:
        shares = tuple(float(part) for part in text.replace(",", "/").split("/"))
    except ValueError:
        shares = ()
    if len(shares) != len(PARTS) or not all(0 < share < math.inf for share in shares):
        raise InvalidData(f"--ratio: {text!r} is not three shares such as 60/20/20")
    return shares


def _keys(problem: Problem) -> list[str]:
    """The family of an item, and the chapter or source that it comes from."""
    source, chapter, other = (problem.tags.get(f"{METADATA}{name}") or "" for name in _PLACE)
    place = f"source {source} / {chapter or other}" if source or chapter or other else ""
    return [f"family {problem.family}", *([place] if place else [])]


def _deal(members: Mapping[str, Counter[str]], ratio: Sequence[float], seed: int) -> dict[str, int]:
    """The part of each group: of many deals, large groups first to where they are most wanted, the best.

    How far a part is from its due are squared errors by level and in all, each relative to its due.
    """
    rng = random.Random(f"split/{seed}")
    names = sorted(members)
    levels = sorted(set().union(*members.values()))
    sizes = np.array([[members[name].total(), *(members[name][each] for each in levels)] for name in names])
    due = np.outer(ratio, sizes.sum(axis=0))
    best: tuple[float, list[int]] = (math.inf, [])
    for _ in range(_DEALS):
        order = sorted(range(len(names)), key=lambda group: -sizes[group, 0] * rng.uniform(0.5, 1))
        held, dealt = np.zeros_like(due), [0] * len(names)
        for left, group in zip(range(len(order), 0, -1), order, strict=True):
            cost = (((held + sizes[group] - due) ** 2 - (held - due) ** 2) / due).sum(axis=1)
            empty = held[:, 0] == 0  # no part is left without a group
            dealt[group] = int(np.where(empty | (left > empty.sum()), cost, math.inf).argmin())
            held[dealt[group]] += sizes[group]
        best = min(best, (round(float(((held - due) ** 2 / due).sum()), 9), dealt))
    return dict(zip(names, best[1], strict=True))

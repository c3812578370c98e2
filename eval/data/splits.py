"""Train, development and test parts that share no source, each with every level in its due share.

Items made from one template, or taken from one chapter, resemble each other, so a group of them lies in one
part as a whole (TPS-CalcBench, arXiv:2604.17966, section III.6).
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.item import METADATA
from ansatz.eval.problem import Problem

PARTS = ("train", "dev", "test")
RATIO = (0.6, 0.2, 0.2)
_CHAPTERS = ("chapter", "source_chapter")
_SOURCES = ("source",)
_ROUNDS = 200
_TOLERANCE = 1e-12

Levels = Counter[str]


@dataclass(frozen=True)
class Split:
    """Which part each item is in, with its group and level, by item id in the order of ids."""

    seed: int
    ratio: tuple[float, ...]
    part: Mapping[str, str]
    group: Mapping[str, str]
    level: Mapping[str, str]

    def ids(self, part: str) -> list[str]:
        return [id for id, found in self.part.items() if found == part]

    def shares(self) -> dict[str, dict[str, float]]:
        """For each level and for all items ("all"), the share of each part."""
        rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for id, part in self.part.items():
            rows[self.level[id]][part] += 1
            rows["all"][part] += 1
        return {
            level: {part: counts[part] / counts.total() for part in PARTS}
            for level, counts in sorted(rows.items())
        }


def split(problems: Sequence[Problem], seed: int, ratio: Sequence[float] = RATIO) -> Split:
    """Whole groups dealt to three parts so that each level comes near the ratio; the same for every order.

    Raises InvalidData where there are fewer groups than parts, or the ratio is no three shares of 1.
    """
    shares = _checked(ratio)
    group = groups(problems)
    level = {problem.id: _level(problem) for problem in problems}
    members: defaultdict[str, Levels] = defaultdict(Counter)
    for id, name in group.items():
        members[name][level[id]] += 1
    if len(members) < len(PARTS):
        raise InvalidData(
            f"{len(members)} group{'s' * (len(members) != 1)} of items that share a source cannot fill "
            f"{len(PARTS)} parts"
        )
    dealt = _deal(members, shares, seed)
    ordered = sorted(group)
    return Split(
        seed,
        shares,
        {id: PARTS[dealt[group[id]]] for id in ordered},
        {id: group[id] for id in ordered},
        {id: level[id] for id in ordered},
    )


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


def content_hash(problem: Problem) -> str:
    """A hash of everything that an item says."""
    text = json.dumps(problem.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def manifest(made: Split, problems: Sequence[Problem]) -> dict[str, object]:
    """What reproduces a split: seed, ratio, shares by level, and each item's part, group and content."""
    by_id = {problem.id: problem for problem in problems}
    items = [
        {
            "id": id,
            "family": by_id[id].family,
            "group": made.group[id],
            "level": made.level[id],
            "split": part,
            "sha256": content_hash(by_id[id]),
        }
        for id, part in made.part.items()
    ]
    body = json.dumps(items, sort_keys=True)
    return {
        "seed": made.seed,
        "ratio": list(made.ratio),
        "counts": {part: len(made.ids(part)) for part in PARTS},
        "groups": {part: len({made.group[id] for id in made.ids(part)}) for part in PARTS},
        "shares": made.shares(),
        "sha256": hashlib.sha256(body.encode()).hexdigest(),
        "items": items,
    }


def write_split(made: Split, problems: Sequence[Problem], source: Path, out: Path) -> dict[str, object]:
    """Write train.jsonl, dev.jsonl, test.jsonl and split_manifest.json; the manifest is returned.

    The items stand as their lines in the source. Nothing in the files depends on the order of the items or on
    time: the same seed gives the same bytes.
    """
    lines = [line.strip() for line in source.read_text(encoding="utf-8-sig").split("\n") if line.strip()]
    by_id = dict(zip((problem.id for problem in problems), lines, strict=True))
    out.mkdir(parents=True, exist_ok=True)
    texts = {f"{part}.jsonl": "".join(f"{by_id[id]}\n" for id in made.ids(part)) for part in PARTS}
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    written = manifest(made, problems) | {"files": digests}
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


def _checked(ratio: Sequence[float]) -> tuple[float, ...]:
    if len(ratio) != len(PARTS) or any(share <= 0 for share in ratio):
        raise InvalidData(f"ratio: needs {len(PARTS)} shares above zero, such as 60/20/20")
    return tuple(share / sum(ratio) for share in ratio)


def _level(problem: Problem) -> str:
    level = problem.tags.get("level", "")
    return level if isinstance(level, str) and level else "unknown"


def _keys(problem: Problem) -> list[str]:
    def noted(names: Sequence[str]) -> str:
        found = (problem.tags.get(f"{METADATA}{name}") for name in names)
        return next((str(value) for value in found if value), "")

    source, chapter = noted(_SOURCES), noted(_CHAPTERS)
    place = f"source {source} / {chapter}" if source or chapter else ""
    return [f"family {problem.family}", *([place] if place else [])]


def _deal(members: Mapping[str, Levels], ratio: Sequence[float], seed: int) -> dict[str, int]:
    """The part of each group: large groups first to where they are most wanted, then improved by exchange."""
    rng = random.Random(f"split/{seed}")
    order = sorted(members)
    rng.shuffle(order)
    order.sort(key=lambda name: -members[name].total())
    total: Levels = sum(members.values(), Counter())
    # In the order of the levels, so that sums round alike in whatever order the items came.
    wanted = [{level: share * total[level] for level in sorted(total)} for share in ratio]
    held: list[Levels] = [Counter() for _ in ratio]
    dealt: dict[str, int] = {}
    for name in order:
        part = min(
            range(len(ratio)), key=lambda part: _cost_of_adding(members[name], held[part], wanted[part])
        )
        dealt[name] = part
        held[part] += members[name]
    _improve(dealt, members, held, wanted, order)
    return dealt


def _cost(held: Levels, wanted: Mapping[str, float]) -> float:
    """How far a part is from its due: squared errors by level and in all, each relative to its due."""
    by_level = sum((held[level] - due) ** 2 / due for level, due in wanted.items())
    due = sum(wanted.values())
    return by_level + (held.total() - due) ** 2 / due


def _cost_of_adding(group: Levels, held: Levels, wanted: Mapping[str, float]) -> float:
    return _cost(held + group, wanted) - _cost(held, wanted)


def _improve(
    dealt: dict[str, int],
    members: Mapping[str, Levels],
    held: list[Levels],
    wanted: Sequence[Mapping[str, float]],
    order: Sequence[str],
) -> None:
    """Move or exchange groups while that brings the parts nearer to their due; no part is left empty."""
    for _ in range(_ROUNDS):
        changed = False
        for place, name in enumerate(order):
            for part in range(len(held)):
                changed |= part != dealt[name] and _try_move({name: part}, dealt, members, held, wanted)
            for other in order[place + 1 :]:
                if dealt[other] != dealt[name]:
                    moves = {name: dealt[other], other: dealt[name]}
                    changed |= _try_move(moves, dealt, members, held, wanted)
        if not changed:
            return


def _try_move(
    moves: Mapping[str, int],
    dealt: dict[str, int],
    members: Mapping[str, Levels],
    held: list[Levels],
    wanted: Sequence[Mapping[str, float]],
) -> bool:
    """Make some moves if they lower the cost."""
    after = {part: Counter(held[part]) for name, to in moves.items() for part in (dealt[name], to)}
    for name, to in moves.items():
        after[dealt[name]].subtract(members[name])
        after[to].update(members[name])
    if any(not counts.total() for counts in after.values()):
        return False
    gain = sum(
        _cost(held[part], wanted[part]) - _cost(counts, wanted[part]) for part, counts in after.items()
    )
    if gain <= _TOLERANCE:
        return False
    for part, counts in after.items():
        held[part] = +counts
    dealt.update(moves)
    return True

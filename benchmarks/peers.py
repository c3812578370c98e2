"""Compare coverage, false stars and power with other tools on the worlds of `worlds.py`.

    python -m venv .peers && .peers/bin/pip install -r benchmarks/peers.txt
    .venv/bin/python -m benchmarks.peers --tool .peers/bin/python [--studies 400]

Each tool is used as its documentation describes, with families if it supports them, in a separate environment.
A star is a significant difference: p below 0.05, and for Ansatz also an interval without zero. A dash marks
worlds that a tool does not support or refuses. All tools get the same seeded studies. Results are stored world
by world, so an interrupted run can continue. Power is also compared at one rate of false stars: the threshold of
p of each tool is lowered until it stars no more studies without an effect than Ansatz.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Found = tuple[float, float, float] | None
"""Low and high end of the interval, and p."""
TWIN = ", arms swapped"
Tool = Callable[[np.ndarray, np.ndarray, np.ndarray], Found]


def evalstats(treated: np.ndarray, control: np.ndarray, family: np.ndarray) -> Found:
    """The design of this tool has no families."""
    from evalstats import pairwise_differences

    found = pairwise_differences(
        np.stack([treated, control]), 0, 1, n_bootstrap=2000, rng=np.random.default_rng(0)
    )
    return found.ci_low, found.ci_high, found.p_value


def evalconfidence(treated: np.ndarray, control: np.ndarray, family: np.ndarray) -> Found:
    """This tool uses families for the error of one system, but not for comparisons."""
    from evalconfidence import ItemResult, compare

    sides = [
        [ItemResult(str(at), name, float(score)) for at, score in enumerate(scores)]
        for name, scores in (("treated", treated), ("control", control))
    ]
    found = compare(*sides, paired=True)
    return *found.ci_diff, found.p_value


def deltagate(treated: np.ndarray, control: np.ndarray, family: np.ndarray) -> Found:
    from deltagate import paired_delta

    clusters = None if len(set(family.tolist())) == len(family) else family.tolist()
    found = paired_delta(treated.tolist(), control.tolist(), clusters=clusters)
    return found["lower"], found["upper"], found["p_value"]


def evalsig(treated: np.ndarray, control: np.ndarray, family: np.ndarray) -> Found:
    from evalsig import ItemResult, RunFrame, compare

    clustered = len(set(family.tolist())) < len(family)
    frames = [
        RunFrame(name, name, "task", "score", [
            ItemResult(str(at), float(score), str(group) if clustered else None)
            for at, (score, group) in enumerate(zip(scores, family, strict=True))
        ])
        for name, scores in (("control", control), ("treated", treated))
    ]  # fmt: skip
    found = compare(*frames, cluster="family" if clustered else None, n_resamples=2000)
    return *found.ci, found.p_value


def ansatz(treated: np.ndarray, control: np.ndarray, family: np.ndarray) -> Found:
    from ansatz.eval.statistics import clustered_mean

    found = clustered_mean(treated - control, family, seed=0, resamples=1000, ends=(-1, 1))
    assert found.low is not None and found.high is not None and found.p is not None
    return found.low, found.high, found.p


TOOLS: dict[str, Tool] = {
    each.__name__: each for each in (ansatz, evalstats, evalconfidence, deltagate, evalsig)
}  # type: ignore[attr-defined]


def worlds(studies: int) -> dict[str, Any]:
    """Write both arms' scores, families and the truth of each study in a format for other environments.

    A world with an effect has a twin without one: in the same studies the arms of whole families are swapped
    at random, which leaves every amount and every dependence as it was.
    """
    from benchmarks.worlds import PAIRED

    found = {}
    for name, (draw, truth) in PAIRED.items():
        drawn = [draw(np.random.default_rng([17, number])) for number in range(studies)]
        if truth is None:
            many = [draw(np.random.default_rng([18, number])) for number in range(5000)]
            truth = float(np.mean(np.concatenate([t - c for t, c, _ in many])))
        found[name] = {"truth": truth, "studies": [[part.tolist() for part in study] for study in drawn]}
        if truth:
            twins = [_swapped(study, number) for number, study in enumerate(drawn)]
            found[name + TWIN] = {
                "truth": 0.0,
                "studies": [[part.tolist() for part in each] for each in twins],
            }
    return found


def _swapped(study: tuple[np.ndarray, np.ndarray, np.ndarray], number: int) -> list[np.ndarray]:
    treated, control, family = study
    swap = np.random.default_rng([19, number]).random(family.max() + 1)[family] < 0.5
    return [np.where(swap, control, treated), np.where(swap, treated, control), family]


def of_world(tool: Tool, given: dict[str, Any]) -> list[Found]:
    """Return the results of each study; None without a finite interval."""
    found = (tool(*(np.array(part) for part in study)) for study in given["studies"])
    return [
        None if each is None or not np.all(np.isfinite(each)) else tuple(map(float, each)) for each in found
    ]


def of_tool(name: str, worlds: Path, kept: Path) -> None:
    """Run a tool on every world without a stored result."""
    warnings.simplefilter("ignore")
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for world, given in json.loads(worlds.read_text(encoding="utf-8")).items():
        if world in known:
            continue
        try:
            known[world] = of_world(TOOLS[name], given)
        except Exception as failure:  # a refusal of a tool is printed, and shown as a dash
            print(f"{name}, {world}: {failure!r}", file=sys.stderr)
            known[world] = None
        kept.write_text(json.dumps(known), encoding="utf-8")


def starred(name: str, found: Sequence[Found]) -> np.ndarray:
    """Return p of each study, or 1 if it cannot give a star."""
    return np.array([
        1.0 if each is None or (name == "ansatz" and each[0] <= 0 <= each[1]) else each[2] for each in found
    ])  # fmt: skip


def at_equal_rate(p: np.ndarray, under_none: np.ndarray, rate: float) -> float:
    """Return the share of stars at the threshold at which the twin without effect has the given share."""
    known = np.sort(under_none)
    allowed = known[min(int(rate * len(known) + 1e-9), len(known) - 1)]
    return float(np.mean(p < min(allowed, 0.05) if rate else p < known[0]))


def rows(results: dict[str, dict[str, Any]], truths: dict[str, float]) -> Iterator[str]:
    """Yield coverage and stars of all worlds, then power at Ansatz's rate of false stars."""
    head = " | ".join(TOOLS) + " |\n| --- |" + " ---: |" * len(TOOLS)
    yield f"| world: coverage / stars | {head}"
    for world in (each for each in truths if not each.endswith(TWIN)):
        cells = []
        for name, own in results.items():
            if (found := own[world]) is None:
                cells.append("–")
                continue
            held = [e is not None and e[0] - 1e-9 <= truths[world] <= e[1] + 1e-9 for e in found]
            cells.append(f"{np.mean(held):.2f} / {np.mean(starred(name, found) < 0.05):.2f}")
        yield f"| {world} | " + " | ".join(cells) + " |"
    yield f"\n| world: false stars of its twin / stars at our rate of them | {head}"
    for world in (each for each in truths if each + TWIN in truths):
        ansatz_rate = float(np.mean(starred("ansatz", results["ansatz"][world + TWIN]) < 0.05))
        cells = []
        for name, own in results.items():
            if own[world] is None or own[world + TWIN] is None:
                cells.append("–")
                continue
            p, under_none = (starred(name, own[each]) for each in (world, world + TWIN))
            cells.append(
                f"{np.mean(under_none < 0.05):.3f} / {at_equal_rate(p, under_none, ansatz_rate):.2f}"
            )
        yield f"| {world} | " + " | ".join(cells) + " |"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tool", help="a Python that has the tools")
    asked.add_argument("--studies", type=int, default=400)
    asked.add_argument(
        "--folder", type=Path, default=Path(".peers/found"), help="for worlds and what tools find"
    )
    asked.add_argument("--only", help="one tool, on worlds that are written already")
    chosen = asked.parse_args()
    written = chosen.folder / f"worlds_{chosen.studies}.json"
    kept = {name: chosen.folder / f"{name}_{chosen.studies}.json" for name in TOOLS}
    if chosen.only:
        of_tool(chosen.only, written, kept[chosen.only])
        return
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if not written.exists():
        written.write_text(json.dumps(worlds(chosen.studies)), encoding="utf-8")
    for name in TOOLS:
        started = time.perf_counter()
        python = sys.executable if name == "ansatz" else chosen.tool
        passed = ["--only", name, "--studies", str(chosen.studies), "--folder", str(chosen.folder)]
        subprocess.run([python, __file__, *passed], check=True)
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    results = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in kept.items()}
    truths = {name: each["truth"] for name, each in json.loads(written.read_text(encoding="utf-8")).items()}
    for line in rows(results, truths):
        print(line)


if __name__ == "__main__":
    main()

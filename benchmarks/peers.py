"""The worlds of `intervals.py` through other tools for paired comparisons: coverage, false stars and power.

    python -m venv .peers && .peers/bin/pip install -r benchmarks/peers.txt
    .venv/bin/python -m benchmarks.peers --tool .peers/bin/python [--studies 400]

Each tool is asked as its own documentation asks it, with families where it takes them, and in an environment of
its own. A star is the tool's own "significant": p below 0.05, for us with an interval clear of zero as well.
What a tool cannot take (or refuses) is shown as a dash. Seeded; the tools see the same studies.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Found = tuple[float, float, float] | None
"""Low and high of the interval, and p."""
Tool = Callable[[np.ndarray, np.ndarray, np.ndarray], Found]


def evalstats(treated: np.ndarray, control: np.ndarray, family: np.ndarray) -> Found:
    """Families are no part of its design."""
    from evalstats import pairwise_differences

    found = pairwise_differences(
        np.stack([treated, control]), 0, 1, n_bootstrap=2000, rng=np.random.default_rng(0)
    )
    return found.ci_low, found.ci_high, found.p_value


def evalconfidence(treated: np.ndarray, control: np.ndarray, family: np.ndarray) -> Found:
    """Takes families for one system's error, not for a comparison."""
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
    """Both arms' scores and families of each study, with the truth, as other environments can read them."""
    from benchmarks.intervals import PAIRED

    found = {}
    for name, (draw, truth) in PAIRED.items():
        drawn = [draw(np.random.default_rng([17, number])) for number in range(studies)]
        if truth is None:
            many = [draw(np.random.default_rng([18, number])) for number in range(5000)]
            truth = float(np.mean(np.concatenate([t - c for t, c, _ in many])))
        found[name] = {"truth": truth, "studies": [[part.tolist() for part in study] for study in drawn]}
    return found


def of_tool(name: str, path: Path) -> dict[str, Sequence[float] | None]:
    """Coverage, the share of zero widths, and that of stars, for each world."""
    warnings.simplefilter("ignore")
    rows: dict[str, Sequence[float] | None] = {}
    for world, given in json.loads(path.read_text(encoding="utf-8")).items():
        held = flat = starred = 0
        for study in given["studies"]:
            treated, control, family = (np.array(part) for part in study)
            try:
                found = TOOLS[name](treated, control, family)
            except Exception as failure:  # what a tool refuses counts against it
                print(f"{name}, {world}: {failure!r}", file=sys.stderr)
                break
            if found is None or not all(np.isfinite(found)):
                continue
            low, high, p = found
            held += low - 1e-9 <= given["truth"] <= high + 1e-9
            flat += high - low < 1e-9
            starred += p < 0.05 and (name != "ansatz" or not low <= 0 <= high)
        else:
            number = len(given["studies"])
            rows[world] = (held / number, flat / number, starred / number, given["truth"])
            continue
        rows[world] = None
    return rows


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tool", help="a Python that has the tools")
    asked.add_argument("--studies", type=int, default=400, help="evalstats takes some 80 ms for each")
    asked.add_argument("--worlds", type=Path, default=Path("peers_worlds.json"))
    asked.add_argument("--only", help="one tool, on worlds that are written already")
    chosen = asked.parse_args()
    if chosen.only:
        print(json.dumps(of_tool(chosen.only, chosen.worlds)))
        return
    chosen.worlds.write_text(json.dumps(worlds(chosen.studies)), encoding="utf-8")
    results = {}
    for name in TOOLS:
        started = time.perf_counter()
        python = sys.executable if name == "ansatz" else chosen.tool
        asked_for = [python, __file__, "--only", name, "--worlds", str(chosen.worlds)]
        found = subprocess.run(asked_for, stdout=subprocess.PIPE, check=True, text=True)
        results[name] = json.loads(found.stdout.splitlines()[-1])
        chosen.worlds.with_name(f"peers_{name}.json").write_text(json.dumps(results[name]), encoding="utf-8")
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    print("coverage / star, by tool; of worlds without an effect a star is false")
    print("| world | " + " | ".join(TOOLS) + " |")
    print("| --- |" + " --- |" * len(TOOLS))
    for world in results["ansatz"]:
        cells = [
            "–" if (row := results[name][world]) is None else f"{row[0]:.3f} / {row[2]:.3f}" for name in TOOLS
        ]
        print(f"| {world} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()

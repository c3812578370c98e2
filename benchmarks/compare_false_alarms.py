"""Measure false alarms and power of `ansatz compare` on published runs of ThermoQA, next to two naive rules.

    python -m benchmarks.compare_false_alarms PATH [--draws 180] [--sizes 20 50 100]

PATH is a clone of https://github.com/olivenet-iot/ThermoQA, or a git directory of it without a work tree. The
publishers asked each model three times. Two runs of one model differ by chance alone, so "worse" is a false
alarm. Each draw takes an ordered pair of such runs and some questions; three dimensions are compared at once,
with a margin of 5 points. Scores are computed from the published relative errors and verdicts:

- outcome: 100 within 1 %, 70 within 10 %, 30 within 50 %, averaged over the values of a question;
- exact: the share of values within 1 %;
- published: the publisher's score.

Two runs are paired as `compare` does it, by id and question: eight questions were reworded after the first runs
of two models. Families are the templates of the questions. A drop is planted by setting answers that are right
on all dimensions to zero on all, until 5 points are lost. The second table has the pairs of runs that were made
within three days, because a provider may change a model within a week. Random numbers are seeded.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ansatz import RunSummary, compare
from ansatz.eval import Dimension
from ansatz.experiments.comparing.summary import SummarizedProblem

Floats = NDArray[np.float64]
DIMENSIONS = ("outcome", "exact", "published")
TIERS = ("results", "results_tier2", "results_tier3")
MARGIN = 5.0  # points
DROP = 0.05  # of the scale
NEAR = 3  # days


QUESTIONS = tuple(
    f"data/{name}/questions.jsonl" for name in ("tier1_properties", "tier2_components", "tier3_cycles")
)


@dataclass(frozen=True)
class Asked:
    """One answer of a run."""

    question: str
    family: str
    """The template of the question."""
    day: date
    scores: tuple[float, float, float]


Run = dict[str, Asked]
"""Answers by id."""


def read_runs(source: Path) -> tuple[dict[str, list[Run]], list[str]]:
    """Return the runs by model, and the names of runs that lack files."""
    runs: dict[str, list[Run]] = defaultdict(list)
    incomplete = []
    questions = (json.loads(line) for name in QUESTIONS for line in _read(source, name).splitlines())
    families = {each["id"]: each["metadata"]["template_id"] for each in questions}
    for model in sorted({each.split("/")[1] for each in _list_files(source) if each.startswith("results/")}):
        for run in range(1, 4):
            try:
                texts = [_read(source, f"{tier}/{model}/run{run}/responses.jsonl") for tier in TIERS]
            except OSError:
                incomplete.append(f"{model} run {run}")
                continue
            rows = (json.loads(line) for text in texts for line in text.splitlines())
            runs[model].append(
                {
                    row["id"]: Asked(
                        row["question"].strip(),
                        families[row["id"]],
                        date.fromisoformat(row["timestamp"][:10]),
                        score(row),
                    )
                    for row in rows
                }
            )
    return {model: found for model, found in runs.items() if len(found) > 1}, incomplete


def _list_files(source: Path) -> list[str]:
    if (source / "results").is_dir():
        return [f"results/{each.name}" for each in (source / "results").iterdir() if each.is_dir()]
    listed = ["git", "--git-dir", str(source), "ls-tree", "-r", "-d", "HEAD", "--name-only"]
    return subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()


def _read(source: Path, name: str) -> str:
    """Return a file of the clone. Raises OSError if it is absent."""
    if (source / "results").is_dir():
        return (source / name).read_text(encoding="utf-8")
    done = subprocess.run(["git", "--git-dir", str(source), "show", f"HEAD:{name}"], capture_output=True)
    if done.returncode:
        raise OSError(name)
    return done.stdout.decode()


def score(row: dict) -> tuple[float, float, float]:
    """Return outcome, exact and published score of an answer."""
    bands, exact = [], []
    for item in row["scores"]:
        error, passed = item.get("error_pct"), float(item["passed"])
        if error is None or not math.isfinite(error):  # a word, or no value
            bands.append(passed)
            exact.append(passed)
        else:
            bands.append(1.0 if error <= 1 else 0.7 if error <= 10 else 0.3 if error <= 50 else 0.0)
            exact.append(float(error <= 1))
    return float(np.mean(bands)), float(np.mean(exact)), float(row["question_score"])


def summarize(ids: dict[str, str], scores: Floats) -> RunSummary:
    """Build the summary of one model under one arm; `ids` has the family of each question."""
    return RunSummary(
        name="thermoqa",
        models={"m": ""},
        arms={"plain": ""},
        baseline="plain",
        dimensions={name: Dimension(name) for name in DIMENSIONS},
        scorers={},
        problems={id: SummarizedProblem(family, "", "") for id, family in ids.items()},
        sums=scores.T[None, None],
        counts=np.ones((1, 1, len(DIMENSIONS), len(ids)), dtype=np.int64),
        planned=len(ids),
        finished=len(ids),
    )


def plant_drop(scores: Floats, rng: np.random.Generator) -> Floats:
    """Set right answers to zero until the drop is planted."""
    spoiled = scores.copy()
    right = rng.permutation(np.flatnonzero((scores == 1).all(axis=1)))
    spoiled[right[: math.ceil(DROP * len(scores))]] = 0.0
    return spoiled


def draw_pairs(
    runs: dict[str, list[Run]], size: int, draws: int, *, near: bool
) -> Iterator[tuple[dict[str, str], Floats, Floats, np.random.Generator]]:
    """Yield families by question, the scores of two runs of one model, and a generator of further choices."""
    pairs = [pair for found in runs.values() for pair in permutations(found, 2)]
    if near:
        pairs = [pair for pair in pairs if _days_apart(*pair) <= NEAR]
    for number in range(draws):
        rng = np.random.default_rng([size, number])
        one, other = pairs[number % len(pairs)]
        same = sorted(id for id in one if id in other and one[id].question == other[id].question)
        chosen = rng.choice(same, size, replace=False).tolist()
        a, b = (np.array([run[id].scores for id in chosen]) for run in (one, other))
        yield {id: one[id].family for id in chosen}, a, b, rng


def _days_apart(one: Run, other: Run) -> int:
    """Return the most days between the answers to a question."""
    return max(abs((one[id].day - other[id].day).days) for id in one if id in other)


RULES = {"all dimensions equal": (), "outcome first": ("outcome",)}
"""The primary dimensions of each rule."""


def measure(runs: dict[str, list[Run]], size: int, draws: int, *, near: bool) -> dict[str, float]:
    """Return shares of draws."""
    found: Counter[str] = Counter()
    margin = dict.fromkeys(DIMENSIONS, MARGIN)
    for chosen, a, b, rng in draw_pairs(runs, size, draws, near=near):
        before = summarize(chosen, a)
        for kind, after in (("unchanged", b), ("planted", plant_drop(b, rng))):
            for rule, primary in RULES.items():
                verdicts = compare(before, summarize(chosen, after), margin=margin, primary=primary).verdicts
                kinds = [each.verdict for each in verdicts]
                found[f"{rule}, {kind}: worse"] += "worse" in kinds
                found[f"{rule}, {kind}: no worse"] += "no_worse" in kinds
                found[f"{rule}, {kind}: cannot tell"] += "cannot_tell" in kinds and "worse" not in kinds
            difference = after - a
            found[f"naive, {kind}: mean"] += bool((difference.mean(axis=0) < -0.02).any())
            found[f"naive, {kind}: answer"] += bool((difference <= -0.5).any())
    return {name: count / draws for name, count in found.items()}


ROWS = {
    "worse in any dimension": "worse",
    "no worse than 5 in any dimension": "no worse",
    "cannot tell in any dimension, and not worse": "cannot tell",
}
NAIVE = {"a mean fell by more than 2 points": "mean", "an answer became wrong": "answer"}


def print_table(title: str, sizes: Sequence[int], found: Sequence[dict[str, float]]) -> None:
    """Print the shares: a column for each number of questions, unchanged and with the planted drop."""
    heads = " | ".join(f"{size}, {kind}" for kind in ("unchanged", "−5 points") for size in sizes)
    print(f"\n| {title} | {heads} |\n| --- | {' | '.join(['---:'] * 2 * len(sizes))} |")
    rows = [(f"{rule}: {text}", rule, name) for rule in RULES for text, name in ROWS.items()]
    rows += [(f"naive: {text}", "naive", name) for text, name in NAIVE.items()]
    for text, rule, name in rows:
        cells = (each[f"{rule}, {kind}: {name}"] for kind in ("unchanged", "planted") for each in found)
        print(f"| {text} | {' | '.join(f'{cell:.3f}' for cell in cells)} |", flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("source", type=Path)
    asked.add_argument("--draws", type=int, default=180)
    asked.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 100])
    chosen = asked.parse_args()
    started = time.perf_counter()
    runs, incomplete = read_runs(chosen.source)
    print(f"runs: {', '.join(f'{len(found)} of {model}' for model, found in runs.items())}")
    if incomplete:
        print(f"left out, because a file is absent: {', '.join(incomplete)}")
    for near in (False, True):
        found = [measure(runs, size, chosen.draws, near=near) for size in chosen.sizes]
        print_table(f"runs at most {NEAR} days apart" if near else "all pairs of runs", chosen.sizes, found)
    print(f"\n{chosen.draws} draws a column, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()

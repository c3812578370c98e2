"""Measure false alarms and power of `ansatz compare` on published runs of ThermoQA, next to two naive rules.

    python -m benchmarks.compare_false_alarms PATH [--draws 500] [--splits 20] [--sizes 20 50 100]

PATH is a clone of https://github.com/olivenet-iot/ThermoQA, or a git directory of it without a work tree. The
publishers asked each model three times. Each draw takes an ordered pair of runs of one model and some questions;
three dimensions are compared at once, with a margin of 5 points. Scores are computed from the published relative
errors and verdicts:

- outcome: 100 within 1 %, 70 within 10 %, 30 within 50 %, averaged over the values of a question;
- exact: the share of values within 1 %;
- published: the publisher's score.

Two runs are paired as `compare` does it, by id and question: eight questions were reworded after the first runs
of two models. Families are the templates of the questions. Random numbers are seeded.

**Exchanged pairs.** For each question, a coin decides whether the two runs exchange their answers. No run is then
better than the other, whatever the provider changed between them, so each "worse" is a false alarm. The answers
stay real. A drop is planted by setting answers that are right on all dimensions to zero on all, until 5 points
are lost.

**Published pairs.** The same without the exchange. Days or weeks lie between two runs, in which a provider may
have changed the model, so an alarm may be true.

**Drift.** Alarms that are due to chance do not repeat on other questions. Families are split at random into
halves A and B. If a pair of runs has a dimension that is worse on half A, the mean difference of that dimension
is taken on half B, and the same with the halves exchanged. Without drift, its expected value is zero: a family's
difference counts by alarms on other families. The interval of the mean over all alarms of all splits has families
as clusters. The same for exchanged pairs is the control, which must include zero.

**Further problems.** The number that *cannot tell* names should give a verdict in four of five cases, if the
estimate is right.

This plan, but for the last measure, was written before anything was measured. What follows from the results: a share of false "worse" on
exchanged pairs above .06 is a fault of the method. If the interval of the drift is below zero, runs of one
"model" differ, and the excess of alarms on published pairs is true; if it includes zero, the excess is unexplained.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ansatz import RunSummary, compare
from ansatz.eval import Dimension
from ansatz.eval.statistics import clustered_mean
from ansatz.experiments.comparing.summary import SummarizedProblem

Floats = NDArray[np.float64]
DIMENSIONS = ("outcome", "exact", "published")
TIERS = ("results", "results_tier2", "results_tier3")
MARGIN = 5.0  # points
DROP = 0.05  # of the scale
MOST_FURTHER = 500
QUESTIONS = tuple(
    f"data/{name}/questions.jsonl" for name in ("tier1_properties", "tier2_components", "tier3_cycles")
)


@dataclass(frozen=True)
class Asked:
    """One answer of a run."""

    question: str
    family: str
    """The template of the question."""
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


RULES = {"all dimensions equal": (), "outcome first": ("outcome",)}
"""The primary dimensions of each rule."""
PairedScores = tuple[dict[str, str], Floats, Floats]
"""Families by question, and the scores of two runs."""


def pair_answers(one: Run, other: Run) -> PairedScores:
    """Pair the answers of two runs to the questions that they share."""
    same = sorted(id for id in one if id in other and one[id].question == other[id].question)
    a, b = (np.array([run[id].scores for id in same]) for run in (one, other))
    return {id: one[id].family for id in same}, a, b


def exchange(pair: PairedScores, rng: np.random.Generator) -> PairedScores:
    """Exchange the answers of the runs to each question with probability one half."""
    families, a, b = pair
    coin = (rng.random(len(families)) < 0.5)[:, None]
    return families, np.where(coin, b, a), np.where(coin, a, b)


def select(pair: PairedScores, chosen: Sequence[int]) -> PairedScores:
    """Return the pair with some of its questions."""
    ids = list(pair[0])
    return {ids[at]: pair[0][ids[at]] for at in chosen}, pair[1][chosen], pair[2][chosen]


def measure(runs: dict[str, list[Run]], size: int, draws: int, *, exchanged: bool) -> dict[str, float]:
    """Return shares of draws."""
    found: Counter[str] = Counter()
    margin = dict.fromkeys(DIMENSIONS, MARGIN)
    pairs = [pair_answers(*pair) for own in runs.values() for pair in permutations(own, 2)]
    for number in range(draws):
        rng = np.random.default_rng([size, number])
        pair = pairs[number % len(pairs)]
        chosen, a, b = select(pair, rng.choice(len(pair[0]), size, replace=False).tolist())
        if exchanged:
            chosen, a, b = exchange((chosen, a, b), rng)
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


def measure_drift(runs: dict[str, list[Run]], splits: int, *, exchanged: bool) -> str:
    """Describe the differences of alarming pairs on the half of the families that raised no alarm."""
    values, homes, alarms, models = [], [], 0, Counter[str]()
    for model, number in ((model, number) for model in runs for number in range(splits)):
        for pair in (pair_answers(*each) for each in combinations(runs[model], 2)):
            rng = np.random.default_rng([number, *map(ord, model)])
            whole = exchange(pair, rng) if exchanged else pair
            families = np.array(list(whole[0].values()))
            present = np.unique(families)
            half = np.isin(families, rng.permutation(present)[: len(present) // 2])
            for inside in (half, ~half):
                chosen, a, b = select(whole, np.flatnonzero(inside).tolist())
                for verdict in compare(summarize(chosen, a), summarize(chosen, b)).verdicts:
                    if verdict.verdict not in ("worse", "better"):
                        continue
                    at = DIMENSIONS.index(verdict.dimension.name)
                    fall = (whole[2] - whole[1])[~inside, at] * (1 if verdict.verdict == "worse" else -1)
                    values.append(fall)
                    homes.append(families[~inside])
                    alarms, models = alarms + 1, models + Counter([model])
    if not alarms:
        return "no alarms"
    found = clustered_mean(np.concatenate(values), np.concatenate(homes), seed=0)
    assert found.estimate is not None and found.low is not None and found.high is not None
    tried = 2 * splits * sum(math.comb(len(own), 2) for own in runs.values())
    return (
        f"{alarms} alarms in {tried} halves ({', '.join(f'{n} {model}' for model, n in models.items())}); "
        f"on the other half {100 * found.estimate:+.2f} points "
        f"[{100 * found.low:+.2f}, {100 * found.high:+.2f}]"
    )


def measure_further(runs: dict[str, list[Run]], size: int, draws: int) -> str:
    """Describe how often there is a verdict after the further problems that the first undecided one names.

    The further problems are families of the same exchanged pair, drawn with replacement, so that the estimate
    is right.
    """
    pairs = [pair_answers(*pair) for own in runs.values() for pair in permutations(own, 2)]
    margin, further, decided = dict.fromkeys(DIMENSIONS, MARGIN), [], []
    for number in range(draws):
        rng = np.random.default_rng([size, number, 1])
        pair = pairs[number % len(pairs)]
        few = exchange(select(pair, rng.choice(len(pair[0]), size, replace=False).tolist()), rng)
        verdicts = compare(summarize(few[0], few[1]), summarize(few[0], few[2]), margin=margin).verdicts
        needed = [each.further or MOST_FURTHER + 1 for each in verdicts]
        undecided = [at for at, each in enumerate(verdicts) if each.verdict == "cannot_tell"]
        if not undecided or needed[undecided[0]] > MOST_FURTHER:
            continue
        homes, copies = np.array(list(few[0].values())), []
        while sum(map(len, copies)) < needed[undecided[0]]:
            copies.append(np.flatnonzero(homes == rng.choice(np.unique(homes))))
        names = {f"{at}": home for at, home in enumerate(homes)}
        names |= {f"{at} {n}": f"{homes[at]} {n}" for n, copy in enumerate(copies) for at in copy}
        rows = np.concatenate([np.arange(size), *copies])
        a, b = (summarize(names, scores[rows]) for scores in few[1:])
        decided.append(compare(a, b, margin=margin).verdicts[undecided[0]].verdict != "cannot_tell")
        further.append(needed[undecided[0]])
    return (
        f"{len(decided)} of {draws} exchanged pairs of {size} questions cannot tell and need at most "
        f"{MOST_FURTHER:,} further problems (median {np.median(further):.0f}); with these, "
        f"{np.mean(decided):.2f} have a verdict"
    )


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
    asked.add_argument("--draws", type=int, default=500)
    asked.add_argument("--splits", type=int, default=20)
    asked.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 100])
    chosen = asked.parse_args()
    started = time.process_time()
    runs, incomplete = read_runs(chosen.source)
    print(f"runs: {', '.join(f'{len(found)} of {model}' for model, found in runs.items())}")
    if incomplete:
        print(f"left out, because a file is absent: {', '.join(incomplete)}")
    for kind, exchanged in (("exchanged pairs", True), ("published pairs", False)):
        found = [measure(runs, size, chosen.draws, exchanged=exchanged) for size in chosen.sizes]
        print_table(kind, chosen.sizes, found)
        print(f"\ndrift of {kind}: {measure_drift(runs, chosen.splits, exchanged=exchanged)}", flush=True)
    print(f"\n{measure_further(runs, 50, chosen.draws // 4)}")
    print(f"\n{chosen.draws} draws a column, {time.process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()

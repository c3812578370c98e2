"""Measure interim analyses by the project's own functions, on simulated and on published answers.

    python -m benchmarks.stopping worlds [--studies 400] [--arms 8 4 1] [--only better]
    python -m benchmarks.stopping offline [--problems 60]
    python -m benchmarks.stopping published --chembench FOLDER --thermoqa FOLDER --jeebench FILE

A study asks problems in families under a baseline and several arms, and scores each answer right or wrong.
Decisions come from the code of `ansatz run` (Westfall and Young, sign flips of families, simultaneous
intervals), with 4,999 flips and 300 resamples for speed. "Fixed" is the design without interim analyses for
which `ansatz plan` predicts a power of 80 %; "earlier" is the rule of version 0.1, whose futility takes the
difference so far for the true one, and which asks all arms until all are decided.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Literal

import numpy as np

from ansatz.errors import AnsatzError
from ansatz.eval.statistics.power import Components, degrees_of_freedom, predict_detectable, sidak_level
from ansatz.experiments.design.study_settings import Futility, Stopping
from ansatz.experiments.planning.stopping_forecast import ScoreProcess
from ansatz.experiments.report.comparisons import compare_arms
from ansatz.experiments.report.stopped_arms import describe_stopping
from ansatz.experiments.run import Run
from benchmarks.stopping_trials import Outcome, Scores, Trial, run_earlier, run_fixed, run_stopped

Only = Literal["better"] | None
"""Whether only improvements are tested."""

# Simulated worlds

CHANGED = 0.6
"""Share of a problem's answers that an arm gives anew; the others are the baseline's."""
EFFECT = 0.1


def draw_scores(rng: np.random.Generator, families: np.ndarray, effects: np.ndarray) -> Scores:
    """Draw right or wrong: the chance varies with the family, and all arms share the baseline's answers."""
    chance = rng.uniform(0.25, 0.7, families.max() + 1)[families]
    baseline = rng.random(len(families)) < chance
    shape = (len(effects), len(families))
    again = rng.random(shape) < chance + effects[:, None] / CHANGED
    return np.vstack([baseline, np.where(rng.random(shape) < CHANGED, again, baseline)]).astype(float)


def make_families(count: int) -> np.ndarray:
    """Families of one, two and three problems."""
    return np.repeat(np.arange(count), np.arange(count) % 3 + 1)


def true_components() -> Components:
    families = make_families(20_000)
    scores = draw_scores(np.random.default_rng(1), families, np.array([EFFECT]))
    return Components.estimate(scores[1] - scores[0], families, np.full(len(families), np.nan), 1)


def size_study(parts: Components, arms: int, growth: float) -> int:
    """Return how many families `ansatz plan` asks for, times `growth`."""
    level = sidak_level(arms)
    fits = (n for n in range(20, 5000) if _detects(parts, n, level))
    return round(next(fits) * growth)


def _detects(parts: Components, families: int, level: float) -> bool:
    sizes = np.bincount(make_families(families)).astype(float)
    return (predict_detectable(parts, sizes, 1, level=level) or 1.0) <= EFFECT


def measure_world(arms: int, working: int, only: Only, studies: int) -> Iterator[str]:
    """Yield the row of a world: the stopped design with 80 % power, next to the fixed one."""
    stopping = Stopping(futility=Futility(EFFECT), only=only)
    parts = true_components()
    fixed = Trial(make_families(size_study(parts, arms, 1.0)), arms, stopping)
    degrees = degrees_of_freedom(np.bincount(fixed.families).astype(float))
    process = ScoreProcess(fixed.schedule, arms, degrees)
    growth = (process.drift / process.drift_without) ** 2
    stopped = Trial(make_families(size_study(parts, arms, growth)), arms, stopping)
    effects = np.where(np.arange(arms) < working, EFFECT, 0.0)
    found, plain = [], []
    for number in range(studies):
        scores = draw_scores(np.random.default_rng([37, number]), stopped.families, effects)
        found.append(run_stopped(stopped, scores, effects))
        plain.append(run_fixed(fixed, scores[:, : len(fixed.families)]))
    works = effects > 0
    requests = np.mean([each.share for each in found]) * len(stopped.families) / len(fixed.families)
    planned = process.share_asked(process.drift, working) * len(stopped.families) / len(fixed.families)
    cells = [
        _mean(found, lambda each: each.found[works].mean()) if working else None,
        _mean(plain, lambda each: each.found[works].mean()) if working else None,
        _mean(found, lambda each: each.found[~works].any()) if working < arms else None,
        _mean(plain, lambda each: each.found[~works].any()) if working < arms else None,
        requests,
        planned,
        _mean(found, lambda each: each.covered.all()),
        _mean(found, lambda each: each.alone.mean()),
        _mean(found, lambda each: each.agrees),
    ]
    lean = [each.estimates[each.found & works] for each in found]
    outward = 100 * (np.concatenate(lean).mean() - EFFECT) if working else None
    name = f"{arms} arm{'s' * (arms > 1)}, {working} work, {only or 'both'}"
    shown = " | ".join("–" if each is None else f"{each:.3f}" for each in cells)
    yield f"| {name} | {len(stopped.families)} / {len(fixed.families)} | {shown} | {'–' if outward is None else f'{outward:+.1f}'} |"


def _mean(outcomes: Sequence[Outcome], value: Callable[[Outcome], float]) -> float:
    return float(np.mean([value(each) for each in outcomes]))


def measure_worlds(studies: int, arms: Sequence[int], rules: Sequence[Only]) -> Iterator[str]:
    heads = (
        "world", "problems, stopped / fixed", "power", "fixed", "false", "fixed", "requests", "planned",
        "all covered", "each covered alone", "found is starred", "found lean, points",
    )  # fmt: skip
    yield f"| {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * (len(heads) - 1)}"
    for number, working in ((8, 2), (8, 0), (8, 8), (4, 2), (4, 0), (1, 1), (1, 0)):
        for only in rules if number in arms else ():
            yield from measure_world(number, working, only, studies)


# Published answers

MOVED = ("llama3-70b-instruct", "llama3-70b-instruct-T-one", "llama3.1-70b-instruct")
NEAR = (
    "llama3-8b-instruct", "llama3-8b-instruct-T-one", "llama3.1-8b-instruct-T-one", "gemma-2-9b-it",
    "gemma-2-9b-it-T-one",
)  # fmt: skip


def read_chembench(folder: Path, names: Sequence[str]) -> Scores:
    """Return whether each system answered each question of ChemBench right (arXiv:2404.01475)."""
    found = []
    for name in names:
        content = json.loads((folder / name / f"{name}.json").read_text())
        found.append({each["question_name"]: each["all_correct"] for each in content["model_scores"]})
    return _align(found)


def read_thermoqa(folder: Path, names: Sequence[str]) -> Scores:
    """Return the published score of each answer of ThermoQA's three tiers in the first run."""
    found: list[dict[str, float]] = []
    for name in names:
        files = [folder / tier / name / "run1" / "responses.jsonl" for tier in THERMOQA_TIERS]
        rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        found.append({row["id"]: float(row["question_score"]) for row in rows})
    return _align(found)


THERMOQA_TIERS = ("results", "results_tier2", "results_tier3")


def read_jeebench(file: Path, names: Sequence[str]) -> Scores:
    """Return the verdicts on answers of GPT-4 to problems of JEEBench (arXiv:2305.15074)."""
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    return _align(
        [{row["problem_id"]: float(row["verdict"]) for row in rows if row["model"] == name} for name in names]
    )


def _align(found: Sequence[Mapping[str, float]]) -> Scores:
    ids = sorted(set.intersection(*(set(each) for each in found)))
    return np.array([[each[id] for id in ids] for each in found], dtype=np.float64)


def measure_published(
    name: str, pool: Scores, difference: float, studies: int, rules: Sequence[Only]
) -> Iterator[str]:
    """Yield rows of a set: problems are drawn with replacement, each a family.

    In the rows without an effect, the verdicts on each problem are permuted over the systems.
    """
    arms, truth = len(pool) - 1, (pool[1:] - pool[0]).mean(axis=1)
    families = np.arange(pool.shape[1])
    level = sidak_level(arms)
    every = [
        Components.estimate(each - pool[0], families, np.full(len(families), np.nan), 1) for each in pool[1:]
    ]
    parts = max(every, key=lambda each: each.problems)
    fits = (
        n
        for n in range(20, 20_000)
        if (predict_detectable(parts, np.ones(n), 1, level=level) or 1) <= difference
    )
    size = next(fits)
    moved = np.abs(truth) >= 0.8 * difference
    for only, works in product(rules, (True, False)):
        stopping = Stopping(futility=Futility(difference), only=only)
        fixed = Trial(np.arange(size), arms, stopping)
        process = ScoreProcess(fixed.schedule, arms, size - 1.0)
        stopped = Trial(np.arange(round(size * (process.drift / process.drift_without) ** 2)), arms, stopping)
        counted = moved & ((truth > 0) | (only is None)) if works else np.zeros(arms, dtype=bool)
        rows: list[list[Outcome]] = [[], [], []]
        for number in range(studies):
            rng = np.random.default_rng([73, number])
            scores = pool[:, rng.integers(0, pool.shape[1], len(stopped.families))]
            scores = scores if works else rng.permuted(scores, axis=0)
            first = scores[:, :size]
            rows[0].append(run_stopped(stopped, scores, truth * works))
            rows[1].append(run_fixed(fixed, first))
            rows[2].append(run_earlier(fixed, first))
        shares = (len(stopped.families) / size, 1.0, 1.0)
        cells = []
        for own, share in zip(rows, shares, strict=True):
            false = _mean(own, lambda each: each.found.any()) if not works else None
            power = float(np.mean([each.found[counted] for each in own])) if counted.any() else None
            cells += [power, false, share * _mean(own, lambda each: each.share)]
        shown = " | ".join("–" if each is None else f"{each:.2f}" for each in cells)
        agrees = _mean(rows[0], lambda each: each.agrees)
        label = f"{name}, {'effects' if works else 'none'}, {only or 'both'}"
        yield f"| {label} | {len(stopped.families)} / {size} | {shown} | {agrees:.2f} |"


def measure_all_published(chosen: argparse.Namespace, rules: Sequence[Only]) -> Iterator[str]:
    heads = ("answers", "problems, stopped / fixed", "power", "false", "requests")
    yield f"| {' | '.join(heads)} | fixed: power | false | requests | earlier: power | false | requests | found is starred |"
    yield f"| --- |{' ---: |' * 11}"
    sets: list[tuple[str, Callable[[], Scores], float]] = []
    if chosen.jeebench:
        names = ("GPT4_normal", "GPT4_CoT", "GPT4_CoT+OneShot")
        sets.append(
            ("JEEBench, GPT-4: thoughts, one shot", lambda: read_jeebench(chosen.jeebench, names), 0.07)
        )
    if chosen.thermoqa:
        models = ("openai", "google", "xai")
        sets.append(("ThermoQA, three models", lambda: read_thermoqa(chosen.thermoqa, models), 0.05))
    if chosen.chembench:
        tools = ("gpt-4o", "gpt-4o-react")
        sets.append(("ChemBench, gpt-4o: tools", lambda: read_chembench(chosen.chembench, tools), 0.1))
        eight = ("llama3.1-8b-instruct", *MOVED, *NEAR)
        sets.append(("ChemBench, eight systems", lambda: read_chembench(chosen.chembench, eight), 0.05))
    for name, read, difference in sets:
        yield from measure_published(name, read(), difference, chosen.studies, rules)


# A study of eight arms on the offline model

DEMO = Path(__file__).parents[1] / "experiments/configs/demo.yaml"
STOP = ("stop.looks=5", "stop.futility.difference=0.1")


def run_command(folder: Path, problems: int, changes: Sequence[str], kill_at: Sequence[float] = ()) -> None:
    """Run the demo study in a folder; kill it once it has so many attempts, then start it again."""
    options = [part for each in changes for part in ("-o", each)]
    options += ["--limit", str(problems)]
    command = [sys.executable, "-m", "ansatz", "run", str(DEMO), "--out", str(folder), *options]
    for most in kill_at:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and _count_scored(folder) < most:
            time.sleep(0.05)
        process.kill()
        process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _count_scored(folder: Path) -> int:
    try:
        return Run(folder).counts["scored"]
    except AnsatzError:  # the ledger does not exist yet
        return 0


def measure_offline(folder: Path, problems: int) -> Iterator[str]:
    """Yield what a study of eight arms finds with and without `stop`, and after two kills."""
    changes = ["primary=outcome", "scorers=outcome"]
    run_command(folder / "whole", problems, changes)
    run_command(folder / "stopped", problems, [*changes, *STOP])
    whole, stopped = Run(folder / "whole"), Run(folder / "stopped")
    asked, planned = stopped.counts["scored"], whole.counts["scored"]
    run_command(folder / "killed", problems, [*changes, *STOP], (asked * 0.3, asked * 0.7))
    killed = Run(folder / "killed")
    yield "| arm | stars without stop | with stop | after two kills |"
    yield "| --- | --- | --- | --- |"
    for arm in whole.results.treatments:
        place = (whole.results.models[0], arm, "outcome")
        cells = []
        for each in (whole, stopped, killed):
            row = compare_arms(each.results)[place]
            lines = describe_stopping(each.results)
            found = next((line.split(": ", 1)[1] for line in lines if line.startswith(f"{arm}:")), None)
            cells.append(
                found or row.dimension.scale.show_change(row.delta.estimate) + "*" * row.is_significant
            )
        yield f"| {arm} | {' | '.join(cells)} |"
    same = describe_stopping(stopped.results) == describe_stopping(killed.results)
    yield f"attempts: {asked} of {planned} ({asked / planned:.0%}); after two kills: {killed.counts['scored']}, "
    yield f"the same decisions: {same}"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("what", choices=("worlds", "published", "offline"))
    asked.add_argument("--studies", type=int, default=400)
    asked.add_argument("--arms", type=int, nargs="+", default=(8, 4, 1), help="of the simulated worlds")
    asked.add_argument("--only", choices=("both", "better"), help="the directions that are tested")
    asked.add_argument("--chembench", type=Path, help="reports/ of github.com/lamalab-org/chembench-paper")
    asked.add_argument("--thermoqa", type=Path, help="a checkout of github.com/olivenet-iot/ThermoQA")
    asked.add_argument("--jeebench", type=Path, help="JSONL with problem_id, model and verdict")
    asked.add_argument("--problems", type=int, default=60, help="of the offline study")
    chosen = asked.parse_args()
    started = time.perf_counter()
    if chosen.what == "offline":
        with tempfile.TemporaryDirectory() as folder:
            for line in measure_offline(Path(folder), chosen.problems):
                print(line, flush=True)
        print(f"{time.perf_counter() - started:.0f} s")
        return
    rules: dict[str | None, tuple[Only, ...]] = {
        None: (None, "better"),
        "both": (None,),
        "better": ("better",),
    }
    own = rules[chosen.only]
    simulated = measure_worlds(chosen.studies, chosen.arms, own)
    measured = simulated if chosen.what == "worlds" else measure_all_published(chosen, own)
    for line in measured:
        print(line, flush=True)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()

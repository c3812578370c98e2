"""Measure replays: coverage of their intervals, and whether the placebo differs more than two fresh runs do.

    python -m benchmarks.replay [--studies 500] [--problems 300]

First, studies are simulated from known chances: the interval of `estimate_effects` should contain the true
effect in at least 93 % of studies. A useless tool should have an interval without zero in about 5 %. Second, a
chat model with known noise answers every problem twice, and its attempts are replayed without a change.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from ansatz import Model, Outcome, Problem, Run, Study, WithTools, replay
from ansatz.eval.problem import NumberTarget
from ansatz.experiments.replay.effect import pair_by_problem
from ansatz.experiments.replay.replay_design import MOST_REPEATS
from ansatz.experiments.results import Attempts, Results

_DRAWS, _PER_FAMILY = 3, 2
_EFFECTS = {"useless": 0.0, "small": 0.1, "decisive": 0.4}


def make_problem(number: int) -> Problem:
    target = NumberTarget(name="Q", unit="J", weight=1.0, value=1234.0 + number)
    family = f"f{number // _PER_FAMILY}"
    question = f"Item {number}: Q = ___ J"
    return Problem(id=f"p{number}", family=family, benchmark="own", question=question, targets=(target,))


def empty_results(families: int, seed: int) -> Results:
    """Return results without attempts, which have the families of the problems."""
    problems = [make_problem(number) for number in range(families * _PER_FAMILY)]
    none = np.zeros(0, dtype=np.intp)
    return Results(
        title="simulated",
        models=("m",),
        arms=("a",),
        baseline="a",
        dimensions=(),
        problems={problem.id: problem for problem in problems},
        attempts=Attempts(none, none, none, none, [], [], {}),
        planned=0,
        seed=seed,
        resamples=1000,
    )


def simulate(effect: float, families: int, control_draws: int, number: int) -> tuple[bool, bool]:
    """Simulate one study; return whether its interval has the true effect, and whether it excludes zero.

    The chance of a right answer varies between families and problems, with and without the call.
    """
    rng = np.random.default_rng([families, control_draws, number, int(100 * effect)])
    by_family = np.repeat(rng.uniform(0.45, 0.85, families), _PER_FAMILY)
    chance = by_family + rng.uniform(-0.1, 0.1, len(by_family))
    own_effect = np.repeat(rng.uniform(0.5, 1.5, families), _PER_FAMILY) * effect
    with_call = rng.binomial(control_draws, chance) / control_draws
    changed = rng.binomial(_DRAWS, np.clip(chance - own_effect, 0, 1)) / _DRAWS
    truth = _true_effect(effect)
    scores = [(f"p{at}", *each) for at, each in enumerate(zip(with_call, changed, strict=True))]
    found = pair_by_problem(empty_results(families, number % 16), scores)
    assert found.low is not None and found.high is not None
    return found.low <= truth <= found.high, not found.low <= 0 <= found.high


@cache
def _true_effect(effect: float, draws: int = 400_000) -> float:
    """Return the mean effect over all families, which the clipping of chances at zero makes smaller."""
    rng = np.random.default_rng(1)
    chance = rng.uniform(0.45, 0.85, draws) + rng.uniform(-0.1, 0.1, draws)
    return float(np.mean(chance - np.clip(chance - rng.uniform(0.5, 1.5, draws) * effect, 0, 1)))


class NoisyModel(BaseChatModel):
    """Calls its tool, then answers right with a chance that is known for each problem."""

    @property
    def _llm_type(self) -> str:
        return "noisy"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> BaseChatModel:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        number = int(str(messages[1].content).split()[1].rstrip(":"))
        if not isinstance(messages[-1], ToolMessage):
            call = {
                "name": "look_up",
                "args": {"item": number},
                "id": f"c{random.random()}",
                "type": "tool_call",
            }
            message = AIMessage("", tool_calls=[call])
        else:
            right = random.random() < chance_of(number)
            message = AIMessage(f"Q = {1234 + number if right else 1} J")
        return ChatResult(generations=[ChatGeneration(message=message)])


def chance_of(number: int) -> float:
    return random.Random(number).uniform(0.2, 0.95)


def look_up(item: int) -> str:
    """Look up an item."""
    return f"{1234 + item} J"


class Placebo(NamedTuple):
    """How much replays without a change differ from their originals, next to two fresh attempts."""

    fresh: float
    """The share of problems of which two fresh attempts disagree."""
    replayed: float
    """The share of replays that disagree with their original."""
    expected: float
    """Both, from the known chances."""
    difference: float
    """The mean score of the replays minus that of the originals."""
    low: float
    high: float

    @property
    def slack(self) -> float:
        """Three standard errors of the difference between both shares, for 100 problems."""
        return 3 * (2 * self.expected * (1 - self.expected) / 100) ** 0.5


def compare_placebo(problems: int) -> Placebo:
    """Replay without a change, and compare the disagreement with that of two fresh attempts."""
    study = Study(
        "noisy",
        models=Model(NoisyModel(), label="noisy"),
        problems=[make_problem(number) for number in range(problems)],
        arms={"tools": WithTools(look_up)},
        scorers=Outcome(),
        repeats=2,
    )
    with tempfile.TemporaryDirectory() as folder:
        run = study.run(Path(folder) / "run", progress=False)
        done = replay(run, noop=True, study=study, arms=["tools"], progress=False)
        fresh = run.attempts("tools").sort("problem", "repeat")["exact"].to_numpy()
        replays = Run(done.folder).attempts().with_columns(repeat=polars.col("repeat") % MOST_REPEATS)
        draws = replays.sort("problem", "repeat")["exact"].to_numpy().reshape(-1, _DRAWS)
        placebo = next(each for each in done.effects_found if each.dimension == "exact")
    by_problem = np.array([chance_of(int(each[1:])) for each in sorted(f"p{n}" for n in range(problems))])
    expected = float(np.mean(2 * by_problem * (1 - by_problem)))
    assert placebo.effect is not None and placebo.low is not None and placebo.high is not None
    return Placebo(
        fresh=float(np.mean(fresh[::2] != fresh[1::2])),
        replayed=float(np.mean(draws != fresh[:, np.newaxis])),
        expected=expected,
        difference=-placebo.effect,
        low=-placebo.high,
        high=-placebo.low,
    )


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--studies", type=int, default=500)
    asked.add_argument("--problems", type=int, default=300)
    chosen = asked.parse_args()
    print("| effect | families | control | coverage | excludes zero |\n| --- | ---: | --- | ---: | ---: |")
    for name, effect in _EFFECTS.items():
        for families in (12, 30):
            for control, draws in (("placebo", _DRAWS), ("original", 1)):
                found = np.array(
                    [simulate(effect, families, draws, number) for number in range(chosen.studies)]
                )
                covered, clear = found.mean(axis=0)
                print(f"| {name} | {families} | {control} | {covered:.3f} | {clear:.3f} |", flush=True)
    found = compare_placebo(chosen.problems)
    print(
        f"two fresh attempts disagree in {found.fresh:.3f}, a replay and its original in {found.replayed:.3f}; "
        f"expected from the known chances {found.expected:.3f}\n"
        f"placebo - original {found.difference:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
    )


if __name__ == "__main__":
    main()

"""A run folder whose attempts are planted, as if models had made them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from ansatz import Outcome, Problem, Score, ScoringContext, Study, Transcript, WithTools
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.running.manifest import build_manifest, write_manifest
from tests.experiments.planted_conversation import Planted


def fluid_state(fluid: str) -> str:
    """The state of a fluid."""
    return fluid


def saturation_state(fluid: str) -> str:
    """The saturation state of a fluid."""
    return fluid


def run_python(code: str) -> str:
    """Run code."""
    return code


TOOLS = WithTools(fluid_state, saturation_state, run_python)


def write_planted_run(folder: Path, planted: Sequence[Planted], families: int = 200) -> Path:
    """Store planted attempts, scored by their outcome; their arm is `tools`."""
    problems = [
        each.problem.model_copy(update={"id": f"p{number}", "family": f"f{number % families}"})
        for number, each in enumerate(planted)
    ]
    study = Study(
        "planted", models="offline:slide-rule", problems=problems, arms={"tools": TOOLS}, scorers=Outcome()
    )
    design = study.design
    with Ledger.open(folder) as ledger:
        ledger.plan([each for each in design.attempts if each.arm == "tools"], problems)
        ledger.describe({"study": design.describe(), "scored_by": design.scored_by})
        write_manifest(build_manifest(design), ledger, folder)
        given = {
            problem.id: (problem, each.transcript) for problem, each in zip(problems, planted, strict=True)
        }
        attempts = ledger.planned_attempts()
        scored = asyncio.run(_score([given[each.problem] for each in attempts]))
        for attempt, scores in zip(attempts, scored, strict=True):
            ledger.record(attempt, transcript=given[attempt.problem][1], scores=scores)
    return folder


async def _score(given: Sequence[tuple[Problem, Transcript]]) -> list[tuple[Score, ...]]:
    return [await Outcome().score(ScoringContext(*each)) for each in given]

"""A run folder whose attempts are planted, as if models had made them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from ansatz import Outcome, Study, WithTools
from ansatz.eval import ScoringContext
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.running.manifest import build_manifest, write_manifest
from tests.experiments.planted_transcripts import Planted


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


def write_planted_run(folder: Path, planted: Sequence[Planted]) -> Path:
    """Store planted attempts, scored by their outcome; their arm is `tools`, and each is one family."""
    problems = [
        each.problem.model_copy(update={"id": f"p{number}", "family": f"p{number}"})
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
        by_id = dict(
            zip((problem.id for problem in problems), zip(problems, planted, strict=True), strict=True)
        )
        for attempt in ledger.planned_attempts():
            problem, each = by_id[attempt.problem]
            scores = asyncio.run(Outcome().score(ScoringContext(problem, each.transcript)))
            ledger.record(attempt, transcript=each.transcript, scores=scores)
    return folder

"""Make what a run folder lacks: the scores of stored answers by new scorers, and missing attempts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.errors import StudyError
from ansatz.experiments.design.adaptive_repeats import plan_repeats
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.interim_analyses import plan_parts
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.running.manifest import build_manifest, write_manifest
from ansatz.experiments.running.progress import Progress
from ansatz.experiments.running.runner import demand_keys, rescore, run, shared_traffic
from ansatz.experiments.running.spending import Spending

if TYPE_CHECKING:
    from distributed import Client

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StudyRun:
    """One run of a study into an open ledger, for the first time or resumed."""

    design: Design
    ledger: Ledger
    folder: Path
    source: Mapping[str, Any] | None
    """Where the study is from, for a later start from its folder."""
    progress: Progress
    executor: Client | str | None
    spent: float
    """Dollars that earlier parts of the run cost, such as paraphrases."""

    async def complete(self) -> None:
        """Score stored answers again if the scorers changed, and make the attempts that the folder lacks.

        Raises StudyError if the folder has a study of another name.
        """
        design, ledger = self.design, self.ledger
        about, stored = design.describe(), ledger.about("study")
        if stored and stored["name"] != design.settings.name:
            raise StudyError(
                f"{self.folder} has the study {stored['name']!r}, not {design.settings.name!r}; "
                "choose another folder"
            )
        keys = {attempt.key for attempt in design.attempts}
        if stored and not keys <= ledger.finished_keys() | {each.key for each in ledger.planned_attempts()}:
            demand_keys(design)  # before the plan and the manifest of an earlier study are replaced
        ledger.plan(design.attempts, design.problems.values())
        is_rescored = stored and ledger.about("scored_by") != design.scored_by
        if is_rescored:
            await self._rescore()
        done = ledger.finished_keys() & keys
        is_incomplete = len(done) < len(design.attempts)
        if is_incomplete:
            await self._warn()
        ledger.describe({"scored_by": design.scored_by, "source": self.source})
        if is_rescored or stored != about or is_incomplete:  # else the manifest of the finished run stays
            write_manifest(build_manifest(design), ledger, self.folder)
        await self._make_attempts(len(done))

    async def _rescore(self) -> None:
        """Score all stored answers again; after an interruption, the next run does so."""
        self.ledger.describe({"scored_by": None})
        with self.progress.begin(len(self.ledger.planned_attempts(answered=True)), 0):
            await rescore(
                self.design, self.ledger, self.progress.advance, self._open_spending(), self.executor
            )

    async def _warn(self) -> None:
        """Log why the study can show nothing, and store the arms that cannot differ, for the report."""
        from ansatz.experiments.planning.obstacles import find_inert_arms, list_obstacles

        inert = await asyncio.to_thread(find_inert_arms, self.design)
        self.ledger.describe({"inert_arms": list(inert)})
        for line in list_obstacles(self.design, inert=inert):
            _log.warning(line)

    async def _make_attempts(self, done: int) -> None:
        """Make the missing attempts, in parts if interim analyses or adaptive repeats plan them."""
        design, ledger, settings = self.design, self.ledger, self.design.settings
        with self.progress.begin(len(design.attempts), done):
            spending, traffic = self._open_spending(), shared_traffic(design)
            parts = (
                plan_repeats(design, settings.adaptive_repeats, ledger, self.progress.report)
                if settings.adaptive_repeats
                else plan_parts(
                    design, settings.stop, ledger, partial(read_results, self.folder), self.progress.report
                )
            )
            for attempts in parts:
                await run(
                    design,
                    ledger,
                    lambda failure: self.progress.advance(failure, *traffic, spending),
                    spending,
                    self.executor,
                    attempts,
                )

    def _open_spending(self) -> Spending:
        return Spending(self.design, self.ledger, self.design.settings.budget, self.spent)

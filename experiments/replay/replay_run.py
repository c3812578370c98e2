"""Run the replays of a run, or resume them. They have a ledger of their own, in the folder of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.agents import Prefix
from ansatz.errors import BadInput
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger, PlannedAttempt
from ansatz.experiments.ledger.cache import ReplyCache
from ansatz.experiments.ledger.file import reporting_write_errors
from ansatz.experiments.ledger.recording_client import Replies
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.replay.change import Change
from ansatz.experiments.replay.effect import ReplayEffect, estimate_effects
from ansatz.experiments.replay.replay_design import (
    ReplayDesign,
    StoredReplays,
    check_draws,
    plan_replays,
)
from ansatz.experiments.running.executor import AttemptExecutor, LocalExecutor
from ansatz.experiments.running.manifest import build_manifest, write_manifest
from ansatz.experiments.running.progress import Progress
from ansatz.experiments.running.runner import run, share_traffic, shared_traffic
from ansatz.experiments.running.spending import Spending, check_budget

if TYPE_CHECKING:
    from polars import DataFrame

FOLDER = "replays"
"""The folder of a run that its replays are stored in."""


@dataclass(frozen=True)
class ReplayExecutor(LocalExecutor):
    """Continues stored conversations in this process."""

    def prefix_of(self, attempt: PlannedAttempt) -> Prefix:
        assert isinstance(self.design, ReplayDesign)
        return self.design.replays[attempt.key].prefix


def _make_executor(design: Design, replies: Replies) -> AttemptExecutor:
    return ReplayExecutor(design, replies)


@dataclass(frozen=True)
class Replays:
    """The replays of a run, as far as they are finished.

    Example: `print(Run("runs/pumps").replay(drop="fluid_state").effects())`.
    """

    folder: Path
    """Their run folder: `ansatz view` and `ansatz report` work on it."""
    effects_found: tuple[ReplayEffect, ...]
    """What each changed call is worth, by model, arm, tool, change and dimension."""
    skipped: int
    """Attempts of the chosen arms without a call to change."""

    def effects(self) -> DataFrame:
        """Return the effects: a row for each model, arm, tool, change and dimension.

        `effect` is the score with the call as it was minus the score with the change, with its interval over
        families from `low` to `high`. Positive: the call helped.
        """
        from polars import DataFrame

        return DataFrame([each.to_json() for each in self.effects_found], infer_schema_length=None)


def plan(
    design: Design,
    run_folder: Path,
    changes: Sequence[Change],
    draws: int | None = None,
    *,
    arms: Iterable[str] = (),
    out: Path | None = None,
) -> ReplayDesign:
    """Plan replays, in addition to those that the folder has. Raises BadInput."""
    number = check_draws(design, draws)
    earlier = _read_stored(out or run_folder / FOLDER)
    return plan_replays(design, run_folder, changes, number, arms=arms, earlier=earlier)


def _read_stored(folder: Path) -> StoredReplays | None:
    if not (folder / "ledger.sqlite").is_file():
        return None
    with Ledger.open(folder, write=False) as ledger:
        stored = ledger.about("changes") or []
        keys = frozenset(attempt.key for attempt in ledger.planned_attempts())
    changes = tuple(Change(**change) for change, _ in stored)
    return StoredReplays(changes, max((draws for _, draws in stored), default=0), keys)


async def run_replays(
    replays: ReplayDesign,
    original: Path,
    progress: Progress,
    out: Path | None = None,
    budget: float | None = None,
) -> Replays:
    """Run the replays that are not finished, then estimate their effects.

    Every request goes through the ledger, the cache, the budget and the rate limits of the study.

    Raises
    ------
    RunStopped, BudgetSpent, ModelError, LedgerError
        As a run raises them; finished replays are stored.
    """
    folder, settings = out or original / FOLDER, replays.settings
    budget = settings.budget if budget is None else budget
    share_traffic(replays, settings.rates)
    check_budget(replays, budget)
    with reporting_write_errors(folder), Ledger.open(folder) as ledger:
        stored = ledger.about("original")
        if stored is not None and stored != str(original.resolve()):
            raise BadInput(f"{folder} has the replays of another run, {stored}; choose another --out")
        ledger.shared = ReplyCache(settings.cache) if settings.cache else None
        ledger.plan(replays.attempts, replays.problems.values())
        ledger.describe(
            {
                "original": str(original.resolve()),
                "changes": _list_changes(replays),
                "scored_by": replays.scored_by,
                "source": None,
            }
        )
        write_manifest(build_manifest(replays), ledger, folder)
        done = ledger.finished_keys() & replays.replays.keys()
        spending, traffic = Spending(replays, ledger, budget), shared_traffic(replays)
        with progress.begin(len(replays.attempts), len(done)):
            await run(
                replays,
                ledger,
                lambda failure: progress.advance(failure, *traffic, spending),
                settings.max_identical_failures,
                spending,
                _make_executor,
            )
    return read_replays(replays, original, folder)


def read_replays(replays: ReplayDesign, original: Path, folder: Path) -> Replays:
    """Estimate the effects of the replays that are finished."""
    found = estimate_effects(replays.replays.values(), read_results(folder), read_results(original))
    return Replays(folder, tuple(found), replays.skipped)


def _list_changes(replays: ReplayDesign) -> list[tuple[dict[str, object], int]]:
    draws: dict[Change, int] = {}
    for each in replays.replays.values():
        draws[each.change] = max(draws.get(each.change, 0), each.draw + 1)
    return [(change.to_json(), count) for change, count in draws.items()]

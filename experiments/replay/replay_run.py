"""Run the replays of a run, or resume them. They have a ledger of their own, in the folder of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from ansatz.agents import Prefix
from ansatz.errors import BadInput
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger, PlannedAttempt
from ansatz.experiments.ledger.cache import ReplyCache
from ansatz.experiments.ledger.file import reporting_write_errors
from ansatz.experiments.ledger.recording_client import Replies
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.replay.change import ReplayChange, make_changes
from ansatz.experiments.replay.effect import ReplayEffect, estimate_effects
from ansatz.experiments.replay.replay_design import (
    ReplayDesign,
    StoredReplays,
    check_draws,
    plan_replays,
)
from ansatz.experiments.run import Run
from ansatz.experiments.running.background import in_background
from ansatz.experiments.running.executor import AttemptExecutor, LocalExecutor
from ansatz.experiments.running.manifest import build_manifest, write_manifest
from ansatz.experiments.running.progress import Progress, make_progress
from ansatz.experiments.running.runner import run as run_attempts
from ansatz.experiments.running.runner import share_traffic, shared_traffic
from ansatz.experiments.running.spending import Spending, check_budget
from ansatz.experiments.study import Study

if TYPE_CHECKING:
    from polars import DataFrame

    from ansatz.experiments.study import Study


class ReplayOptions(TypedDict, total=False):
    """What a replay changes, and of which attempts. One of drop, hide_result, perturb and noop is needed."""

    drop: str
    """The tool to take away, from before its first call on."""
    hide_result: int
    """The number of the call whose result is hidden, from 1."""
    perturb: str
    """The size of a change of the numbers of the first result: "result=±5%"."""
    noop: bool
    """Whether to replay without a change: alone, or next to a change from the same cut."""
    tool: str
    """Counts only calls of this tool."""
    draws: int
    """Replays of each attempt; by default 3, or 1 at temperature 0."""
    arms: Sequence[str]
    """Only these arms; by default all that have tools."""
    models: Sequence[str]
    """Only these models."""
    problems: Sequence[str]
    """Only these problems."""
    limit: int
    """The number of problems, spread over families."""
    out: str | Path
    """The folder of the replays; by default `replays` in the folder of the run."""
    budget: float
    """The most that the replays may cost, in dollars."""
    study: Study
    """The study of a run that was started from a script."""
    progress: bool
    """Whether a progress bar is shown."""


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

    Example: `print(replay("runs/pumps", drop="fluid_state").effects())`.
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
    changes: Sequence[ReplayChange],
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
    changes = tuple(ReplayChange(**change) for change, _ in stored)
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
            await run_attempts(
                replays,
                ledger,
                lambda failure: progress.advance(failure, *traffic, spending),
                spending,
                _make_executor,
            )
    return read_replays(replays, original, folder)


def read_replays(replays: ReplayDesign, original: Path, folder: Path) -> Replays:
    """Estimate the effects of the replays that are finished."""
    found = estimate_effects(replays.replays.values(), read_results(folder), read_results(original))
    return Replays(folder, tuple(found), replays.skipped)


def _list_changes(replays: ReplayDesign) -> list[tuple[dict[str, object], int]]:
    draws: dict[ReplayChange, int] = {}
    for each in replays.replays.values():
        draws[each.change] = max(draws.get(each.change, 0), each.draw + 1)
    return [(change.to_json(), count) for change, count in draws.items()]


def replay(run: Run | str | Path, **options: Unpack[ReplayOptions]) -> Replays:
    """Ask again from the stored conversations of a run, with one change to a tool call.

    Finished replays are stored in the folder `replays` of the run, so the same call again resumes.

    Args:
        run: A finished run, or its folder.
        options: As `ReplayOptions` describes them.

    Raises:
        BadInput: The change is wrong, or no attempt has such a call.
        AnsatzError: As a run raises it; finished replays are stored.

    Example:

        print(replay("runs/pumps", drop="fluid_state", noop=True).effects())  # AnsatzError without such a run
    """
    folder = run.folder if isinstance(run, Run) else Path(run)
    study = options.get("study") or Study.from_run(folder)
    chosen = study.only(
        models=options.get("models"), problems=options.get("problems"), limit=options.get("limit")
    )
    changes = make_changes(
        options.get("drop"),
        options.get("hide_result"),
        options.get("perturb"),
        options.get("noop", False),
        options.get("tool"),
    )
    out = Path(options["out"]) if "out" in options else None
    arms = options.get("arms", ())
    planned = plan(chosen.design, folder, changes, options.get("draws"), arms=arms, out=out)
    shown = make_progress(planned.settings.name, options.get("progress"))
    return in_background(run_replays(planned, folder, shown, out, options.get("budget")))

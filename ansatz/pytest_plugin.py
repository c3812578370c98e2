"""A pytest plugin: the fixture `ansatz_check` runs a study and compares it with a stored baseline.

    def test_answers_are_no_worse(ansatz_check):
        ansatz_check("study.yaml", against="baseline.json", margin={"outcome": 2}, budget=1.0)

`pytest --ansatz-update` writes the baselines instead of comparing with them. pytest loads this module at
every start, so it imports what it needs when a check runs.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from ansatz.experiments.comparing.comparison import RunComparison
    from ansatz.experiments.run import Run

CACHE = ".ansatz/replies"
"""The folder of replies, from pytest's root folder, unless the study or `ansatz_cache` names another."""


class UndecidedWarning(UserWarning):
    """A check has too little data to decide whether the study is worse than its baseline."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ansatz")
    group.addoption(
        "--ansatz-update",
        action="store_true",
        help="write the baselines of ansatz_check, instead of comparing",
    )
    parser.addini("ansatz_cache", "folder of replies that ansatz_check shares between runs", default=CACHE)


@pytest.fixture
def ansatz_check(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Run a study and compare it with a baseline: see `Check.__call__`."""
    return Check(
        base=request.path.parent,
        cache=request.config.rootpath / request.config.getini("ansatz_cache"),
        out=tmp_path_factory.mktemp(re.sub(r"\W", "_", request.node.name)[:40]),
        updates=request.config.getoption("--ansatz-update"),
    )


@dataclass(frozen=True)
class Check:
    """Runs studies and compares them. Relative paths start from the folder of the test file."""

    base: Path
    cache: Path
    out: Path
    """The folder of new run folders."""
    updates: bool = False
    """Whether baselines are written instead of compared with."""

    def __call__(  # noqa: PLR0913 (the settings of a check are its keywords)
        self,
        study: str | Path,
        *,
        against: str | Path,
        margin: Mapping[str, float] | None = None,
        primary: str | Sequence[str] = (),
        arms: str | Sequence[str] = (),
        map: Mapping[str, str | Sequence[str]] | None = None,
        budget: float | None = None,
        undecided: Literal["warn", "fail"] = "warn",
    ) -> RunComparison | None:
        """Run the study and fail if it is worse than the baseline.

        Requests that any study of the cache has made are not sent again, so a study that did not change sends
        none.

        Parameters
        ----------
        study
            A study file.
        against
            A summary file that `ansatz summary` or `pytest --ansatz-update` wrote, or a run folder.
        margin, primary, arms, map
            As in `ansatz.compare`.
        budget
            The most that the run may cost, in dollars. A run that is stopped by it is incomplete, so it
            cannot tell.
        undecided
            Whether a comparison that cannot tell warns or fails.

        Returns
        -------
        RunComparison or None
            None if the baseline was written.
        """
        from ansatz import compare
        from ansatz.errors import AnsatzError

        __tracebackhide__ = True
        baseline = self.base / against
        if not baseline.exists() and not self.updates:
            pytest.fail(
                f"{baseline}: there is no baseline; `pytest --ansatz-update` writes it", pytrace=False
            )
        try:
            run = self._run(self.base / study, budget)
            if self.updates:
                self._write(run, baseline)
                return None
            found = compare(baseline, run, arms=arms, map=map, margin=margin, primary=primary)
        except AnsatzError as failure:  # bad input is one line, as on the command line
            pytest.fail(str(failure), pytrace=False)
        where = f"{found}\n\nRun: {run.folder}"
        if found.is_worse or (found.is_undecided and undecided == "fail"):
            pytest.fail(where, pytrace=False)
        if found.is_undecided:
            warnings.warn(UndecidedWarning(where), stacklevel=2)
        return found

    def _run(self, path: Path, budget: float | None) -> Run:
        """Run a study into a new folder. Checks of the same study run one after another."""
        from ansatz import Run, Study
        from ansatz.errors import BudgetSpent

        changes = [] if budget is None else [f"budget.dollars={budget!r}"]
        study = Study.from_yaml(path, changes)
        if study.settings.cache is None:
            study = Study.from_yaml(path, [*changes, f"cache={json.dumps(str(self.cache))}"])
        assert study.settings.cache is not None
        folder = self.out / study.name
        with _locked(Path(study.settings.cache) / f"{study.name}.lock"), suppress(BudgetSpent):
            study.run(folder, progress=False)
        return Run(folder)

    def _write(self, run: Run, baseline: Path) -> None:
        from ansatz import RunSummary
        from ansatz.experiments.comparing.summary_file import write_summary

        summary = RunSummary.of_run(run.folder)
        if not summary.is_complete:
            pytest.fail(f"{baseline} is not written: the run is incomplete", pytrace=False)
        baseline.write_text(write_summary(summary), encoding="utf-8")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait until no other process, such as a worker of pytest-xdist, runs the same study."""
    from filelock import FileLock

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path):
        yield

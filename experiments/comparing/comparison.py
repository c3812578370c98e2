"""Compare two runs: `compare` is what the library, the command line and the pytest plugin share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.errors import BadInput
from ansatz.experiments.comparing import rendering
from ansatz.experiments.comparing.changes import Change, list_changes
from ansatz.experiments.comparing.pairing import pair_runs
from ansatz.experiments.comparing.summary import RunSummary
from ansatz.experiments.comparing.summary_file import read_summary
from ansatz.experiments.comparing.verdicts import ComparedRuns, judge
from ansatz.quantities import nearest

if TYPE_CHECKING:
    from ansatz.experiments.run import Run


@dataclass(frozen=True, eq=False)
class RunComparison(ComparedRuns):
    """Run B compared with run A: a verdict for each model, arm and dimension.

    Example: `compare(before, after).to_json()["verdicts"]`.
    """

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON. Numbers are on the scales of the dimensions."""
        return {
            "a": _describe(self.a),
            "b": _describe(self.b),
            "status": self.status,
            "deciding": list(self.deciding),
            "verdicts": [each.to_json() for each in self.verdicts],
            "changes": [each.to_json() for each in self.changes],
            "unpaired": [each.to_json() for each in self.unpaired],
            "notes": rendering.list_notes(self),
        }

    def to_markdown(self) -> str:
        """Return the comment for a pull request."""
        return rendering.to_markdown(self)

    @property
    def changes(self) -> list[Change]:
        """The problems that changed on the first deciding dimension, largest changes first."""
        return list_changes(self)

    def view(self, out: str | Path) -> Path:
        """Write the page of the comparison into a folder: answers side by side, largest changes first.

        Return the file to open. Raises BadInput if A and B are summary files, which have no texts.
        """
        from ansatz.experiments.comparing.page import write_page

        return write_page(self, Path(out))

    def __str__(self) -> str:
        return rendering.to_text(self)


def _describe(run: RunSummary) -> dict[str, Any]:
    return {
        "name": run.name,
        "source": None if run.folder is None else str(run.folder),
        "problems": len(run.problems),
        "planned": run.planned,
        "finished": run.finished,
        "written_by": run.written_by,
    }


def compare(
    a: str | Path | Run | RunSummary,
    b: str | Path | Run | RunSummary,
    *,
    arms: str | Sequence[str] = (),
    map: Mapping[str, str | Sequence[str]] | None = None,
    margin: Mapping[str, float] | None = None,
    primary: str | Sequence[str] = (),
) -> RunComparison:
    """Compare run B with run A, paired by problem.

    Parameters
    ----------
    a, b
        Run folders, summary files, or runs. `RUN@NAME` is one arm or model of a run.
    arms
        Only these arms of B. Default: all.
    map
        Arms or models that have another name in B: `{"old": "new"}`.
    margin
        By dimension, the change for the worse that is accepted, on the scale of the report:
        `{"outcome": 2}` is two points of 100.
    primary
        Dimensions that are tested first. Others of an arm count only if one of these changed. Default: those
        of the runs, if they agree.

    Raises
    ------
    BadInput
        If the runs cannot be compared, or a name is unknown.
    InvalidData, LedgerError
        If a summary or a run cannot be read.

    Example: `compare(before, after, margin={"outcome": 2}).status`.
    """
    opened: dict[Path, RunSummary] = {}
    one, other = load(a, opened), load(b, opened)
    renamed = [
        (old, new) for old, own in (map or {}).items() for new in ([own] if isinstance(own, str) else own)
    ]
    pairing = pair_runs(one, other, renamed, [arms] if isinstance(arms, str) else arms)
    wanted = [primary] if isinstance(primary, str) else list(primary)
    wanted = wanted or [name for name in other.primary if name in one.primary]
    for kind, names in (("margin", margin or {}), ("primary", wanted)):
        for name in names:
            if name not in pairing.dimensions:
                raise BadInput(
                    f"{kind}: the runs share no dimension {name!r}{nearest(name, pairing.dimensions)}"
                )
    stored = {name: _store_margin(name, value, other) for name, value in (margin or {}).items()}
    verdicts = judge(one, other, pairing, stored, wanted)
    return RunComparison(one, other, tuple(verdicts), pairing, tuple(wanted or stored or pairing.dimensions))


def load(source: str | Path | Run | RunSummary, opened: dict[Path, RunSummary] | None = None) -> RunSummary:
    """Read a run folder or a summary file; `RUN@NAME` selects an arm or a model of it.

    `opened` has the runs that were read before. Raises BadInput, InvalidData or LedgerError.
    """
    if isinstance(source, RunSummary):
        return source
    if not isinstance(source, str | Path):
        source = source.folder
    path, name = _split(str(source))
    opened = {} if opened is None else opened
    if path not in opened:
        opened[path] = read_summary(path) if path.is_file() else RunSummary.of_run(path)
    found = opened[path]
    return found if name is None else found.only(name)


def _split(source: str) -> tuple[Path, str | None]:
    """Split `RUN@NAME` at the first @ after an existing path."""
    if Path(source).exists():
        return Path(source), None
    at = -1
    while (at := source.find("@", at + 1)) > 0:
        if Path(source[:at]).exists():
            return Path(source[:at]), source[at + 1 :]
    raise BadInput(f"{source}: there is no such run folder or summary file")


def _store_margin(name: str, value: float, run: RunSummary) -> float:
    """Convert a margin from the scale of reports to stored values. Raises BadInput."""
    scale = run.dimensions[name].scale
    if not 0 <= value < scale.factor:
        raise BadInput(
            f"margin {name}={value:g}: give a change from 0 to below {scale.factor:g}, "
            f"on the scale {scale.name}"
        )
    return value / scale.factor

"""The plan of a study: what it will probably cost, and the smallest differences that it can detect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

from ansatz.eval.probes import ORIGINAL, PROBE
from ansatz.eval.statistics.power import fewest_families
from ansatz.experiments.design.adaptive_repeats import count_attempts
from ansatz.experiments.design.design import Design
from ansatz.experiments.planning.cost_estimate import Amount, CostEstimate, estimate_costs, estimate_duration
from ansatz.experiments.planning.design_comparison import ASSUMED, DesignComparison, compare_designs
from ansatz.experiments.planning.detection import Detection, estimate_detection, find_scatter
from ansatz.experiments.planning.obstacles import list_obstacles
from ansatz.experiments.planning.stopping_forecast import StoppingForecast, forecast_stopping

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table

    from ansatz.experiments.report.charts import Plot

_BY_PILOT = (
    "From the pilot's means. A range contains the sum over the new attempts with a probability of 95 %, if "
    "the pilot's problems are like the study's."
)
_BY_PROMPTS = (
    "Without a pilot: prompts are those that a run would send, at 3 to 5 bytes per token. Assumptions: "
    "replies have 150 to 4,000 tokens, likely 800; attempts with tools or reviews make 2 more requests; "
    "earlier answers that an arm shows are right; models write 60 tokens per second. For measured figures: "
    "ansatz run STUDY --limit 20 --out PILOT, then ansatz plan STUDY --pilot PILOT."
)
_POWER = (
    "The difference from the baseline, in points of 100, that the study finds with a probability of 80 %: "
    "for a single comparison (alone), and for all comparisons together. The basis is the arm whose "
    "differences vary most. “> 100” is more than the whole scale; “none” means too few families for any "
    "significant difference."
)
_PILOT_RANGE = " The range contains the true value of “together” in about 90 % of pilots of this size."
_ASSUMED_POWER = (
    f" Assumed variances of a difference: {ASSUMED.families:g} between families, {ASSUMED.problems:g} "
    f"between problems, {ASSUMED.repeats:g} between repeats."
)


@dataclass(frozen=True)
class Plan:
    """The estimated cost of a study and the smallest differences that it can detect. Prints as tables.

    Example: `print(study.plan(pilot="runs/pilot"))`.
    """

    study: str
    costs: tuple[CostEstimate, ...]
    """By model and arm, then by model that steps of an arm ask, then by judge."""
    seconds: Amount
    """For the whole study at its rate limits."""
    detections: tuple[Detection, ...]
    """The smallest detectable difference of each dimension."""
    warnings: tuple[str, ...]
    """Why the study can show nothing, with what would change that; empty for most studies."""
    stopping: StoppingForecast | None
    """What interim analyses change; None without `stop`."""
    primary: tuple[str, ...]
    """The dimensions that are tested first."""
    comparison: DesignComparison | None
    """Screening compared with one arm per switch, for a study with either and four or more switches."""
    attempts: tuple[int, int] | None
    """The least and the most attempts, if repeats depend on the baseline's answers."""
    by_pilot: bool
    """Whether a pilot run is the basis of the estimate; otherwise prompts and stated assumptions are."""
    probes: float = 0.0
    """The share of the problems that are variants of others."""

    @classmethod
    def of(cls, design: Design, pilot: Path | None, rewriting: Design | None = None) -> Plan:
        """Make the plan. `rewriting` is the design of the study that rewrites questions first.

        Raises StudyError if the pilot shares no arm with the study, and LedgerError if the folder has no run.
        """
        rows = estimate_costs(design, pilot)
        found = estimate_detection(design, pilot)
        warnings = tuple(list_obstacles(design, pilot))
        seconds = estimate_duration(design, rows)
        if rewriting is not None:
            more = estimate_costs(rewriting, None)
            seconds, rows = seconds + estimate_duration(rewriting, more), (*rows, *more)
        stopping = forecast_stopping(design, find_scatter(design, pilot) if found else ())
        return cls(
            design.settings.name,
            rows,
            seconds,
            found,
            warnings,
            stopping,
            design.primary,
            compare_designs(design, pilot),
            count_attempts(design),
            pilot is not None,
            mean(each.tags.get(PROBE, ORIGINAL) != ORIGINAL for each in design.problems.values()),
        )

    @property
    def dollars(self) -> Amount | None:
        """The cost of the whole study; None if a price is unknown."""
        known = [astuple(each.dollars) for each in self.costs if each.dollars is not None]
        return Amount(*map(sum, zip(*known, strict=True))) if len(known) == len(self.costs) else None

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON. Amounts have the keys least, likely and most; an unknown one is null."""
        found = [
            asdict(each)
            | {"more": [{"problems": n, "repeats": r, "difference": d} for (n, r), d in each.more.items()]}
            for each in self.detections
        ]
        return {
            "study": self.study,
            "by_pilot": self.by_pilot,
            "warnings": list(self.warnings),
            "costs": [asdict(each) for each in self.costs],
            "dollars": None if self.dollars is None else asdict(self.dollars),
            "seconds": asdict(self.seconds),
            "detectable": found,
            "primary": list(self.primary),
            "stopping": None if self.stopping is None else self.stopping.to_json(),
            "attempts": self.attempts,
            "designs": None if self.comparison is None else asdict(self.comparison),
            "probes": self.probes,
        }

    def plot(self) -> Plot:
        """The smallest difference found with 80 %, in points, over the number of problems, by dimension.

        Example: `study.plan(pilot="runs/pilot").plot().savefig("power.png")`.
        """
        from ansatz.experiments.report.charts import Plot

        figure = Plot(figsize=(6, 4), layout="constrained")
        axes = figure.subplots()
        for each in self.detections:
            found = {1: each.together} | {
                times: least for (times, _), least in each.more.items() if times > 1
            }
            shown = [(each.pairs * times, least * 100) for times, least in found.items() if least is not None]
            axes.plot(*zip(*shown, strict=True), marker="o", alpha=0.7, label=each.dimension)
        axes.set(ylim=(0, None), xlabel="problems", ylabel="smallest difference found with 80 %, points")
        axes.legend()
        return figure

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        yield from (Text(f"{line}\n", style="bold yellow") for line in self.warnings)
        yield self._cost_table()
        yield Text(_BY_PILOT if self.by_pilot else _BY_PROMPTS, style="dim")
        yield Text(
            f"Total: {_format_dollars(self.dollars)}; about {_format_seconds(self.seconds)} at the study's "
            f"limits."
        )
        if self.probes:
            price = "" if self.dollars is None else f", about ${self.dollars.likely * self.probes:,.2f}"
            yield Text(f"Probes: {self.probes:.0%} of the problems are variants{price} of the total.")
        if self.attempts is not None:
            least, most = self.attempts
            yield Text(
                f"Repeats depend on the baseline: {least:,} to {most:,} attempts. The costs are the most."
            )
        if self.detections:
            yield self._power_table()
            yield Text(_POWER + (_PILOT_RANGE if self.by_pilot else _ASSUMED_POWER), style="dim")
            yield from (Text(line) for line in self._describe_stopping())
        elif self.by_pilot:
            yield Text("No difference varies in the pilot, so the smallest detectable difference is unknown.")
        if self.comparison is not None:
            basis = "" if self.by_pilot else " Without a pilot, all switches are assumed to vary equally."
            yield Text(self.comparison.describe() + basis)

    def _describe_stopping(self) -> Iterator[str]:
        """Yield lines on power, problems and requests with interim analyses."""
        if (found := self.stopping) is None:
            return
        size = f"{found.difference * 100:.1f} points on {found.dimension}"
        yield (
            f"Interim analyses: power for {size} is {found.power:.0%}, and {found.power_without:.0%} without "
            f"stopping. A power of 80 % needs {found.problems:,} problems, {found.more_problems:.2f} times "
            f"the {found.problems_without:,} without stopping."
        )
        total = sum(each.requests.likely for each in self.costs if each.arm is not None)
        listed = ", ".join(
            f"{each.share * total:,.0f} ({each.share:.0%}) if {each.working or 'no'} "
            f"arm{'s' * (each.working > 1)} work{'s' * (each.working < 2)}"
            for each in found.requests
        )
        yield f"Expected requests of {total:,.0f}: {listed}."

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(width=100, color_system=None)
        with console.capture() as shown:
            console.print(self)
        return shown.get().rstrip()

    def _cost_table(self) -> Table:
        from rich.table import Table

        heads = ("model", "arm", "attempts", "requests", "tokens in", "out", "dollars")
        table = Table(*heads, box=None, pad_edge=False)
        for each in self.costs:
            counts = [_format_amount(amount) for amount in (each.requests, each.input, each.output)]
            arm = "(judge)" if each.arm is None else each.arm
            arm += " (consulted)" * each.is_consulted
            table.add_row(each.model, arm, f"{each.attempts:,}", *counts, _format_dollars(each.dollars))
        return table

    def _power_table(self) -> Table:
        from rich.table import Column, Table

        sizes = list(self.detections[0].more)[1:]
        repeats = next(iter(self.detections[0].more))[1]
        heads = [f"× {times} problems" if times > 1 else f"{n} repeat{'s' * (n != 1)}" for times, n in sizes]
        first = ("dimension", "problems", "families", "alone", f"together ({repeats} each)")
        pilot = ("pilot's largest",) if self.by_pilot else ()
        is_ranged = self.detections[0].together_range is not None
        ranges = (Column("90 % range", no_wrap=True),) * is_ranged
        table = Table(*first, *ranges, *heads, *pilot, box=None, pad_edge=False)
        for each in self.detections:
            more = [
                _format_points(found, each.families * times)
                for (times, _), found in list(each.more.items())[1:]
            ]
            largest = (_format_points(each.largest),) if self.by_pilot else ()
            least: tuple[str, ...] = (
                _format_points(each.alone, each.families),
                _format_points(each.together, each.families),
            )
            if is_ranged:
                least += ("–".join(map(_format_points, each.together_range or (None, None))),)
            table.add_row(each.dimension, f"{each.pairs:,}", f"{each.families:,}", *least, *more, *largest)
        return table


def _format_points(share: float | None, families: int | None = None) -> str:
    """Format a share in points; too few families can show no difference at all."""
    if families is not None and families < fewest_families():
        return "none"
    if share is not None and share > 1:
        return "> 100"
    return "–" if share is None else f"{share * 100:.1f}"


def _format_amount(amount: Amount) -> str:
    if amount.least == amount.most:
        return f"{amount.likely:,.0f}"
    return f"{_format_short(amount.likely)} ({_format_short(amount.least)}–{_format_short(amount.most)})"


def _format_short(number: float) -> str:
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if number >= size:
            return f"{number / (1e3 if sign == 'k' else size):,.3g}{sign}"
    return f"{number:,.0f}"


def _format_dollars(amount: Amount | None) -> str:
    if amount is None:
        return "unknown"
    if not amount.most:
        return "$0"
    return f"${amount.likely:,.2f} ({amount.least:,.2f}–{amount.most:,.2f})"


def _format_seconds(amount: Amount) -> str:
    def words(seconds: float) -> str:
        for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
            if seconds >= size:
                return f"{seconds / size:.1f} {unit}"
        return f"{seconds:.0f} s"

    return f"{words(amount.likely)} ({words(amount.least)} to {words(amount.most)})"

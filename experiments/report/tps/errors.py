"""What goes wrong: the error taxonomy, and what each arm does to it (sections IV.3 and VI.1, table 19)."""

from __future__ import annotations

from collections import Counter
from functools import partial

from ansatz.eval.judging.tps import ERROR_TAGS
from ansatz.eval.share import share
from ansatz.eval.statistics import PairedDelta, holm, problem_means
from ansatz.eval.verifier.errors import TAGS
from ansatz.experiments.report.chart import Heatmap, Panel
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate
from ansatz.experiments.report.tps.run import Reading, Reviewer, TPSRun

HALLUCINATION = "error.hallucination"
_NOTE = (
    "Tags by rules, not by a judge: what is merely left out is no error, and an attempt may bear several. A "
    "share is over the answers of which the rules can tell; an answer that shows no formula in symbols says "
    "nothing of hallucination. Share of tags: of all tags found in an arm. p is adjusted after Holm over "
    "all arms and kinds of a model."
)
_RELATIVE = (
    "Reduction: by how much of its rate in the baseline an arm lowers hallucination, over items of which "
    "both can be told, with Fieller's interval; none where the baseline's rate is not clear of zero."
)
_JUDGED = (
    "A judge tags what it sees, and what is cut off by a limit on its reply it does not tag: few tags need "
    "not mean few errors."
)


def kinds(run: TPSRun) -> tuple[str, ...]:
    """The dimensions of the taxonomy that the run has."""
    return tuple(name for name in TAGS if name in run.data.dimensions)


def error_taxonomy(run: TPSRun) -> Section | None:
    """Prevalence of every kind of error; None without the scorer `errors` and without the tags of a judge."""
    judged = [_judged(run, reviewer) for reviewer in run.reviewers if _has_tags(run, reviewer)]
    if not kinds(run):
        return Section(title="Errors", tables=judged, notes=(_JUDGED,)) if judged else None
    tables = [_prevalence(run), _of_all_tags(run)]
    if run.data.treatments:
        tables.append(_changes(run))
        if HALLUCINATION in kinds(run):
            tables.append(_reduction(run))
    return Section(
        title="Errors",
        findings=_findings(run),
        tables=[*tables, *judged],
        figures=[_figure(run)],
        notes=(_NOTE, _RELATIVE, *([_JUDGED] if judged else [])),
    )


def short(kind: str) -> str:
    return kind.removeprefix("error.")


def rate(run: TPSRun, system: System, kind: str) -> Estimate:
    """The share of answers that bear a tag, of those of which it can be told."""
    return run.mean(run.marks(system, kind))


def _prevalence(run: TPSRun) -> Table:
    columns = [Column("arm"), *(Column(short(kind), POINTS) for kind in kinds(run)), Column("told", COUNT)]
    rows: list[list[Entry]] = []
    for system in run.systems:
        found = [rate(run, system, kind) for kind in kinds(run)]
        shown = [Estimate(each.value, each.low, each.high) for each in found]
        rows.append([run.label(system), *shown, found[-1].n])
    caption = (
        f"Answers with an error of each kind, in %{run.simulated}; told: problems of which "
        f"{short(kinds(run)[-1])} can be told."
    )
    return Table("errors", caption, columns, rows)


def _tags(run: TPSRun, system: System) -> dict[str, int]:
    """How many attempts bear each tag."""
    return {
        kind: sum(value == 1 for values in run.marks(system, kind).values() for value in values)
        for kind in kinds(run)
    }


def _of_all_tags(run: TPSRun) -> Table:
    columns = [Column("arm"), *(Column(short(kind), POINTS) for kind in kinds(run))]
    columns += [Column("tags", COUNT), Column("tags per attempt")]
    rows: list[list[Entry]] = []
    for system in run.systems:
        counts = _tags(run, system)
        total = sum(counts.values())
        shares = [count / total if total else None for count in counts.values()]
        attempts = sum(reading.verdicts is not None for reading in run.readings[system])
        density = f"{total / attempts:.2f}" if attempts else "–"
        rows.append([run.label(system), *shares, total, density])
    return Table("error_tags", f"Kinds of error in % of all tags of an arm{run.simulated}.", columns, rows)


def _changes(run: TPSRun) -> Table:
    columns = [Column("arm"), *(Column(short(kind), POINTS, change=True) for kind in kinds(run))]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        found: dict[tuple[System, str], PairedDelta] = {}
        for kind in kinds(run):
            control = run.marks(run.baseline(model), kind)
            for system in run.treatments(model):
                found[system, kind] = run.difference(run.marks(system, kind), control)
        adjusted = holm({place: delta.p for place, delta in found.items() if delta.p is not None})
        for system in run.treatments(model):
            row = [estimate(found[system, kind], adjusted.get((system, kind))) for kind in kinds(run)]
            rows.append([run.label(system), *row])
    caption = f"Change of the share of answers with an error, in points; less is better{run.simulated}."
    return Table("error_changes", caption, columns, rows)


def _reduction(run: TPSRun) -> Table:
    columns = [Column("arm"), *(Column(name, POINTS) for name in (run.data.baseline, "with arm"))]
    columns += [Column("reduction", POINTS), Column("items", COUNT)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        before = problem_means(run.marks(run.baseline(model), HALLUCINATION))
        for system in run.treatments(model):
            after = problem_means(run.marks(system, HALLUCINATION))
            both = [id for id in before if id in after]
            gone = {id: before[id] - after[id] for id in both}
            whole = {id: before[id] for id in both}
            found = share(gone, whole, run.families, run.data.level)
            rates = [sum(side[id] for id in both) / len(both) if both else None for side in (before, after)]
            shown = Estimate(found.value, found.low, found.high) if found.low is not None else None
            rows.append([run.label(system), *rates, shown, len(both)])
    caption = f"Hallucinated formulas: rates on the same items, and the relative reduction{run.simulated}."
    return Table("hallucination", caption, columns, rows)


def _has_tags(run: TPSRun, reviewer: Reviewer) -> bool:
    return any(reviewer.prefix in attempt.tags for attempt in run.data.attempts)


def _judged(run: TPSRun, reviewer: Reviewer) -> Table:
    """A judge's own tags, as published: shares of all its tags, and how often it saw a hallucination."""
    columns = [Column("arm"), *(Column(tag, POINTS) for tag in ERROR_TAGS), Column("tags", COUNT)]
    columns += [Column("answers", COUNT), Column("answers with hallucination", POINTS)]
    rows: list[list[Entry]] = []
    for system in run.systems:
        tagged = [reading.attempt.tags.get(reviewer.prefix) for reading in run.readings[system]]
        told = [tags for tags in tagged if tags is not None]
        counts = Counter(tag for tags in told for tag in tags)
        total = counts.total()
        shares = [counts[tag] / total if total else None for tag in ERROR_TAGS]
        rate = run.mean(run.scores(system, partial(_hallucinates, reviewer)))
        rows.append([run.label(system), *shares, total, len(told), Estimate(rate.value, rate.low, rate.high)])
    caption = f"Kinds of error in % of the tags of the {reviewer.title}{run.simulated}."
    return Table(f"error_tags_{reviewer.title}", caption, columns, rows)


def _hallucinates(reviewer: Reviewer, reading: Reading) -> float | None:
    tags = reading.attempt.tags.get(reviewer.prefix)
    return None if tags is None else float(short(HALLUCINATION) in tags)


def _findings(run: TPSRun) -> list[str]:
    lines = []
    for system in run.baselines():
        counts = _tags(run, system)
        if total := sum(counts.values()):
            first = max(counts, key=counts.__getitem__)
            most = f"{short(first)} ({counts[first] / total:.0%} of tags)"
            line = f"{run.label(system)}: most frequent is {most}"
            if HALLUCINATION in counts:
                line += f"; hallucination makes {counts[HALLUCINATION] / total:.0%} of tags"
            lines.append(line)
    return lines


def _figure(run: TPSRun) -> Heatmap:
    names = [short(kind) for kind in kinds(run)]
    series = {run.label(each): [rate(run, each, kind) for kind in kinds(run)] for each in run.systems}
    caption = f"Answers with an error of each kind, in %{run.simulated}"
    return Heatmap("errors", caption, [Panel("all items", names, series)])

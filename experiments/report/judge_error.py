"""The chapter on judges held against people: differences with the judge's bias taken off, and without.

Labels name the attempt that people scored by their tags `arm` and `problem`, with `model` where a run has
several and `repeat` where it is not the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ansatz.eval import Problem
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.judge_labels import THREE_POINTS, Label
from ansatz.eval.outcome import answer_is_right
from ansatz.eval.prediction_powered import Answer, CalibratedDelta, calibrated_delta_of_answers, largest_bias
from ansatz.eval.verifier import kpi
from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section import COUNT, Chapter, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.table import Cell, ReportData
from ansatz.quantities.did_you_mean import nearest

_FULL = max(THREE_POINTS)
_NOTE = (
    "Plain: the reviewer's own difference. Corrected: prediction-powered, the reviewer's difference over "
    "all problems less its error on the answers that people scored, with its own interval. Bias: the "
    "reviewer's error in the difference, with its interval. Right only where the answers that people scored "
    "were drawn at random. The KPI needs people's marks on all eight dimensions. Bold: an interval clear of "
    "zero; nothing here is adjusted for its number."
)

Place = tuple[str, str, str, int]
"""Model, arm, problem and repeat."""


@dataclass(frozen=True)
class _Reviewed:
    """What a reviewer's dimension says of an arm against the baseline, without and with people's marks."""

    model: str
    arm: str
    dimension: str
    found: CalibratedDelta


def chapter(data: ReportData) -> Chapter | None:
    """Corrected differences for every reviewer; None without labels.

    Raises InvalidData, a line for each label that names no attempt of the run.
    """
    if not data.labels:
        return None
    people = _marks_by_place(data)
    dimensions = _labelled_dimensions(data, people)
    rows = [
        _Reviewed(model, arm, dimension, _corrected(data, (model, arm), dimension, people))
        for model in data.models
        for arm in data.treatments
        for dimension in dimensions
    ]
    section = Section(
        title=f"{len(people)} answers scored by people",
        findings=_findings(data, rows),
        tables=[_table(data, dimension, rows) for dimension in dimensions],
        notes=(_NOTE,),
    )
    return Chapter("judge_error", "The reviewers' own error", [section])


def _marks_by_place(data: ReportData) -> dict[Place, dict[str, float]]:
    """People's mean marks in [0, 1] and their sums, by attempt and dimension."""
    faults: list[str] = []
    found: dict[Place, dict[str, float]] = {}
    answers = {(each.model, each.arm, each.problem, each.repeat): each.answer for each in data.attempts}
    for label in data.labels:
        place = _place(data, label, faults)
        if place is not None and label.human:
            if place in found:
                faults.append(f"labels: {label.answer_id}: {', '.join(map(str, place))} has a label already")
            marks = _people(label)
            found[place] = marks | _sums(marks, data.problems[place[2]], answers.get(place) or "")
    if faults:
        raise InvalidData("\n".join(faults))
    return found


def _place(data: ReportData, label: Label, faults: list[str]) -> Place | None:
    """Which attempt a label is about."""
    known: Mapping[str, Sequence[str]] = {
        "model": data.models,
        "arm": data.arms,
        "problem": list(data.problems),
        "repeat": sorted({str(cell.repeat) for cell in data.cells}),
    }
    fallback = {"repeat": "0", **({"model": data.models[0]} if len(data.models) == 1 else {})}
    values = {**fallback, **label.tags}
    wrong = [
        f"labels: {label.answer_id}: tags.{tag}: "
        + (
            f"{values[tag]!r} is not in the run{nearest(values[tag], list(valid))}"
            if tag in values
            else "is missing"
        )
        for tag, valid in known.items()
        if values.get(tag) not in valid
    ]
    faults += wrong
    return None if wrong else (values["model"], values["arm"], values["problem"], int(values["repeat"]))


def _people(label: Label) -> dict[str, float]:
    """The mean over people for each dimension."""
    marks: dict[str, float] = {}
    for name in dict.fromkeys(name for rater in label.human for name in rater):
        given = [score for rater in label.human if (score := rater.get(name)) is not None]
        if given:
            marks[name] = fmean(given) / _FULL
    return marks


def _sums(marks: Mapping[str, float], problem: Problem, answer: str) -> dict[str, float]:
    """The KPI of an answer by people's marks, and as published; none unless all eight are marked."""
    if not all(name in marks for name in kpi.WEIGHTS):
        return {}
    is_right = answer_is_right(problem, answer)
    found = {"kpi": kpi.kpi(marks, is_right), "kpi_published": kpi.published(marks)}
    return {name: value for name, value in found.items() if value is not None}


def _labelled_dimensions(data: ReportData, people: Mapping[Place, Mapping[str, float]]) -> list[str]:
    """The reviewers' dimensions that people scored too, in the order of the report."""
    scored = {name for marks in people.values() for name in marks}
    return [name for name in data.quality if _bare(name) in scored]


def _bare(dimension: str) -> str:
    """A dimension without its reviewer's prefix."""
    return dimension.rpartition(".")[2]


def _corrected(
    data: ReportData, system: tuple[str, str], dimension: str, people: Mapping[Place, Mapping[str, float]]
) -> CalibratedDelta:
    model, arm = system
    cells = [cell for of in (arm, data.baseline) for cell in data.grouped.get((model, of, dimension), ())]
    return calibrated_delta_of_answers(
        [_answer(cell, people) for cell in cells],
        arm,
        data.baseline,
        seed=data.seed,
        resamples=data.resamples,
        level=data.level,
    )


def _answer(cell: Cell, people: Mapping[Place, Mapping[str, float]]) -> Answer:
    human = people.get((cell.model, cell.arm, cell.problem, cell.repeat), {}).get(_bare(cell.dimension))
    return Answer(cell.arm, cell.problem, cell.family, cell.value, human)


def _table(data: ReportData, dimension: str, rows: Sequence[_Reviewed]) -> Table:
    scale, several = scale_of(dimension), len(data.models) > 1
    columns = [*([Column("model")] if several else []), Column("arm")]
    columns += [Column(name, scale, change=True) for name in ("plain", "corrected", "bias")]
    columns += [Column("labelled", COUNT), Column("within the reviewer's error")]
    plain = {(each.model, each.arm, each.dimension): each for each in data.comparisons}
    shown: list[list[Entry]] = []
    for row in rows:
        if row.dimension != dimension:
            continue
        delta, found = plain[row.model, row.arm, dimension].delta, row.found
        within = found.within_judge_error
        shown.append(
            [
                *([row.model] if several else []),
                row.arm,
                Estimate(delta.estimate, delta.low, delta.high),
                Estimate(found.estimate, found.low, found.high),
                Estimate(found.bias, found.bias_low, found.bias_high),
                found.labelled,
                "not known" if within is None else "yes" if within else "no",
            ]
        )
    name = f"corrected_{dimension.replace('.', '_')}"
    return Table(name, f"{dimension}: difference from {data.baseline} ({scale.name}).", columns, shown)


def _findings(data: ReportData, rows: Sequence[_Reviewed]) -> list[str]:
    """Which differences a reviewer's own error may explain, on the shown scale."""
    lines = []
    for row in rows:
        reach = largest_bias(row.found.bias_low, row.found.bias_high)
        if row.found.within_judge_error and reach is not None:
            scale = scale_of(row.dimension)
            named = f"{row.model}, {row.arm}" if len(data.models) > 1 else row.arm
            lines.append(
                f"{named}: the difference of {scale.show_change(row.found.judge)} on {row.dimension} is "
                f"within the reviewer's own error, which may reach {scale.show(reach)}"
            )
    reasons = Counter(row.found.reason for row in rows if row.found.reason)
    return [*lines, *(f"{count} differences without a correction: {why}" for why, count in reasons.items())]

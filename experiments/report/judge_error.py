"""The chapter on judges held against people: differences with the judge's bias taken off, and without.

Labels name the attempt that people scored by their tags `arm` and `problem`, with `model` where a run has
several and `repeat` where it is not the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from statistics import fmean

import numpy as np

from ansatz.eval.calibration import THREE_POINTS, Label
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.prediction_powered import CalibratedDelta, Rated, calibrated_delta
from ansatz.eval.validation import InvalidData
from ansatz.eval.verifier import kpi
from ansatz.eval.views import COUNT, Chapter, Column, Cut, Estimate, Fields, Results, Section, System, Table
from ansatz.experiments.report.comparisons import comparisons
from ansatz.quantities.did_you_mean import nearest

_FULL = max(THREE_POINTS)
_WITHIN = {None: "not known", True: "yes", False: "no"}
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

    system: System
    dimension: str
    found: CalibratedDelta


def chapter(data: Results) -> Chapter | None:
    """Corrected differences for every reviewer; None without labels.

    Raises InvalidData, a line for each label that names no attempt of the run.
    """
    if not data.labels:
        return None
    people = _marks_by_place(data)
    dimensions = _labelled_dimensions(data, people)
    rows = [
        _Reviewed(cut.system, dimension, _corrected(cut, dimension, people))
        for cut in data.cuts()
        if not cut.is_baseline
        for dimension in dimensions
    ]
    section = Section(
        title=f"{len(people)} answers scored by people",
        findings=_findings(data, rows),
        tables=[_table(data, dimension, rows) for dimension in dimensions],
        notes=(_NOTE,),
    )
    return Chapter("judge_error", "The reviewers' own error", [section])


def _marks_by_place(data: Results) -> dict[Place, dict[str, float]]:
    """People's mean marks in [0, 1] and their sums, by attempt and dimension."""
    faults: list[str] = []
    found: dict[Place, dict[str, float]] = {}
    right = _right(data)
    for label in data.labels:
        place = _place(data, label, faults)
        if place is not None and label.human:
            if place in found:
                faults.append(f"labels: {label.answer_id}: {', '.join(map(str, place))} has a label already")
            marks = _people(label)
            found[place] = marks | _sums(marks, right.get(place))
    if faults:
        raise InvalidData("\n".join(faults))
    return found


def _place(data: Results, label: Label, faults: list[str]) -> Place | None:
    """Which attempt a label is about."""
    known: Mapping[str, Sequence[str]] = {
        "model": data.models,
        "arm": data.arms,
        "problem": list(data.problems),
        "repeat": sorted({str(each) for each in data.attempts.repeat.tolist()}),
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


def _sums(marks: Mapping[str, float], is_right: bool | None) -> dict[str, float]:
    """The KPI of an answer by people's marks, and as published; none unless all eight are marked."""
    if not all(name in marks for name in kpi.WEIGHTS):
        return {}
    found = {"kpi": kpi.kpi(marks, is_right), "kpi_published": kpi.published(marks)}
    return {name: value for name, value in found.items() if value is not None}


def _right(data: Results) -> dict[Place, bool]:
    """Whether every value of an answer is exact or acceptable, of those whose outcome was scored."""
    attempts, found = data.attempts, {}
    for row, [outcome] in data.details(data.everything, "outcome"):
        if targets := outcome.get("targets"):
            who = (data.models[attempts.model[row]], data.arms[attempts.arm[row]])
            problem = data.asked[attempts.problem[row]].id
            right = all(each["band"] in ("exact", "acceptable") for each in targets.values())
            found[*who, problem, int(attempts.repeat[row])] = right
    return found


def _labelled_dimensions(data: Results, people: Mapping[Place, Mapping[str, float]]) -> list[str]:
    """The reviewers' dimensions that people scored too, in the order of the report."""
    scored = {name for marks in people.values() for name in marks}
    return [each.name for each in data.of_role("quality") if _bare(each.name) in scored]


def _bare(dimension: str) -> str:
    """A dimension without its reviewer's prefix."""
    return dimension.rpartition(".")[2]


def _corrected(cut: Cut, dimension: str, people: Mapping[Place, Mapping[str, float]]) -> CalibratedDelta:
    data, both = cut.data, cut.problems | cut.control.problems
    asked = sorted(np.flatnonzero(both).tolist(), key=lambda place: data.asked[place].id)
    treated, control = (_rated(each, dimension, people, asked) for each in (cut, cut.control))
    families = data.family[asked].tolist()
    settings = {"seed": data.seed, "resamples": data.resamples}
    return calibrated_delta(treated, control, families, level=data.level, **settings)


def _rated(cut: Cut, dimension: str, people: Mapping[Place, Mapping[str, float]], asked: list[int]) -> Rated:
    """What the reviewer and people say of an arm's answers to the problems that were asked."""
    data, values = cut.data, cut.data.values(dimension)
    problem, repeat = data.attempts.problem, data.attempts.repeat
    scores = np.full((2, len(data.asked), int(repeat.max(initial=0)) + 1), np.nan)
    for row in cut.rows.tolist():
        place = (*astuple(cut.system), data.asked[problem[row]].id, int(repeat[row]))
        human = people.get(place, {}).get(_bare(dimension), np.nan)
        scores[:, problem[row], repeat[row]] = values[row], human
    return Rated(*scores[:, asked])


def _table(data: Results, dimension: str, rows: Sequence[_Reviewed]) -> Table:
    plain = {
        (each.model, each.arm): each.delta for each in comparisons(data) if each.dimension.name == dimension
    }
    change = partial(Column, scale=data.dimension(dimension).scale, change=True)
    model: Fields[_Reviewed] = {"model": lambda row: row.system.model} if len(data.models) > 1 else {}
    fields: Fields[_Reviewed] = {
        **model,
        "arm": lambda row: row.system.arm,
        change("plain"): lambda row: _shown(plain[row.system.model, row.system.arm]),
        change("corrected"): lambda row: _shown(row.found),
        change("bias"): lambda row: Estimate(row.found.bias, row.found.bias_low, row.found.bias_high),
        Column("labelled", COUNT): lambda row: row.found.labelled,
        "within the reviewer's error": lambda row: _WITHIN[row.found.within_judge_error],
    }
    caption = f"{dimension}: difference from {data.baseline} ({data.dimension(dimension).scale.name})."
    own = [row for row in rows if row.dimension == dimension]
    return Table.of(f"corrected_{dimension.replace('.', '_')}", caption, own, fields)


def _shown(found: PairedDelta | CalibratedDelta) -> Estimate:
    return Estimate(found.estimate, found.low, found.high)


def _findings(data: Results, rows: Sequence[_Reviewed]) -> list[str]:
    """Which differences a reviewer's own error may explain, on the shown scale."""
    lines = []
    for row in rows:
        reach = row.found.largest_bias
        if row.found.within_judge_error and reach is not None:
            scale = data.dimension(row.dimension).scale
            lines.append(
                f"{data.label(row.system)}: the difference of {scale.show_change(row.found.judge)} "
                f"on {row.dimension} is "
                f"within the reviewer's own error, which may reach {scale.show_size(reach)}"
            )
    reasons = Counter(row.found.reason for row in rows if row.found.reason)
    return [*lines, *(f"{count} differences without a correction: {why}" for why, count in reasons.items())]

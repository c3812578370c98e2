"""The chapter on the error of judges: differences corrected by human labels, and uncorrected.

The tags `arm` and `problem` of a label name its attempt, with `model` if the run has several models, and
`repeat` if it is not the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from ansatz.errors import InvalidData
from ansatz.eval.calibration import Label
from ansatz.eval.statistics.prediction_powered import CalibratedDelta, Rated, calibrated_delta
from ansatz.eval.verifier import kpi
from ansatz.experiments.report.tables import COUNT, Chapter, Column, Entry, Section, Table, read_notes
from ansatz.experiments.results import Estimate, Floats, Numbers, Results, Subset
from ansatz.quantities.did_you_mean import nearest

NOTES = read_notes(__name__)

_WITHIN = {None: "not known", True: "yes", False: "no"}


def chapter(data: Results) -> Chapter | None:
    """Make the chapter, with corrected differences for every judge; None without labels.

    Raises InvalidData with one line for each label that names no attempt of the run.
    """
    if not data.labels:
        return None
    found = correct_differences(data, data.labels)
    tables = [_table(data, name, found) for name in dict.fromkeys(name for _, name in found)]
    number = len({label.answer_id for label in data.labels if label.human})
    section = Section(
        f"{number} answers scored by annotators", _findings(found), tables, notes=(NOTES["judge_error"],)
    )
    return Chapter("judge_error", "The reviewers' own error", [section])


def correct_differences(data: Results, labels: Sequence[Label]) -> dict[tuple[Subset, str], CalibratedDelta]:
    """Correct the differences of all arms from the baseline on the dimensions that annotators scored, too.

    Raises InvalidData with one line for each label that names no attempt of the run.
    """
    humans, chances = _human_scores(data, labels)
    columns = {name: np.full(len(data.attempts), np.nan) for each in humans.values() for name in each}
    for row, scores in humans.items():
        for name, score in scores.items():
            columns[name][row] = score
    # The dimensions that annotators scored, too, without the prefixes of judges.
    names = {each.name: each.name.rpartition(".")[2] for each in data.with_role("quality")}
    return {
        (subset, name): _correct(subset, data.values(name), columns[bare], chances)
        for subset in data.subsets()
        if not subset.is_baseline
        for name, bare in names.items()
        if bare in columns
    }


def _human_scores(data: Results, labels: Sequence[Label]) -> tuple[dict[int, dict[str, float]], Floats]:
    """Return the mean human scores in [0, 1], with the KPI, of each labelled attempt by its row.

    The second result is the probability of each attempt to be labelled, 1 where it is unknown.
    """
    rows = {(*who, str(repeat)): row for row, (*who, repeat) in enumerate(data.attempt_keys)}
    known: dict[str, Sequence[str]] = {"model": data.models, "arm": data.arms, "problem": list(data.problems)}
    known["repeat"] = sorted({repeat for *_, repeat in rows})
    usual = {"repeat": "0", **({"model": data.models[0]} if len(data.models) == 1 else {})}
    right = {
        row: all(each["band"] in ("exact", "acceptable") for each in outcome["targets"].values())
        for row, [outcome] in data.details(data.all_attempts, "outcome")
        if outcome.get("targets")
    }
    found: dict[int, dict[str, float]] = {}
    chances = np.ones(len(data.attempts))
    faults: list[str] = []
    for label in labels:
        tags = {**usual, **label.tags}
        wrong = [
            f"tags.{tag}: {tags[tag]!r} is not in the run{nearest(tags[tag], valid)}"
            if tag in tags
            else f"tags.{tag}: is missing"
            for tag, valid in known.items()
            if tags.get(tag) not in valid
        ]
        place = tuple(tags.get(tag, "") for tag in known)
        row = rows.get(place)
        if row in found and label.human:
            wrong.append(f"{', '.join(place)} has a label already")
        faults += [f"labels: {label.answer_id}: {each}" for each in wrong]
        if row is not None and label.human:
            found[row] = _average_label(label, right.get(row))
            chances[row] = label.probability or 1.0
    if faults:
        raise InvalidData("\n".join(faults))
    return found, chances


def _average_label(label: Label, is_right: bool | None) -> dict[str, float]:
    """Average over annotators by dimension. If all eight dimensions have scores, add both KPIs."""
    given: dict[str, list[float]] = {}
    for rater in label.human:
        for name, score in rater.items():
            if score is not None:
                low, high = label.scale_of(name)
                given.setdefault(name, []).append((score - low) / (high - low))
    marks = {name: fmean(scores) for name, scores in given.items()}
    if not all(name in marks for name in kpi.WEIGHTS):
        return marks
    sums = {"kpi": kpi.compute_kpi(marks, is_right), "kpi_published": kpi.compute_published_kpi(marks)}
    return marks | {name: value for name, value in sums.items() if value is not None}


def _correct(subset: Subset, judge: Floats, human: Floats, chances: Floats) -> CalibratedDelta:
    """Return the judge's difference from the baseline, corrected by human scores."""
    data = subset.data
    problem, repeat = data.attempts.problem, data.attempts.repeat
    both = np.flatnonzero(subset.problems | subset.control.problems).tolist()
    asked = sorted(both, key=lambda place: data.problem_list[place].id)

    def rated(rows: Numbers) -> Rated:
        columns = np.full((3, len(data.problem_list), int(repeat.max(initial=0)) + 1), np.nan)
        columns[2] = 1.0
        columns[:, problem[rows], repeat[rows]] = judge[rows], human[rows], chances[rows]
        return Rated(*columns[:, asked])

    treated, control, families = rated(subset.rows), rated(subset.control.rows), data.family[asked].tolist()
    settings = {"seed": data.seed, "resamples": data.resamples}
    return calibrated_delta(treated, control, families, level=data.level, **settings)


def _table(data: Results, dimension: str, found: Mapping[tuple[Subset, str], CalibratedDelta]) -> Table:
    scale, several = data.dimension(dimension).scale, len(data.models) > 1
    columns = [*[Column("model")] * several, Column("arm")]
    columns += [Column(name, scale, change=True) for name in ("plain", "corrected", "bias")]
    columns += [Column("labelled", COUNT), Column("within the reviewer's error")]
    rows: list[list[Entry]] = []
    for subset, each in ((subset, each) for (subset, name), each in found.items() if name == dimension):
        plain = subset.difference_from(subset.control, data.values(dimension))
        estimates = [
            Estimate(plain.estimate, plain.low, plain.high),
            Estimate(each.estimate, each.low, each.high),
            Estimate(each.bias, each.bias_low, each.bias_high),
        ]
        who = [subset.system.model] * several
        rows.append([*who, subset.system.arm, *estimates, each.labelled, _WITHIN[each.within_judge_error]])
    caption = f"{dimension}: difference from {data.baseline} ({scale.name})."
    return Table(f"corrected_{dimension.replace('.', '_')}", caption, columns, rows)


def _findings(found: Mapping[tuple[Subset, str], CalibratedDelta]) -> list[str]:
    """List the differences that the judge's own error may explain."""
    lines = []
    for (subset, name), each in found.items():
        if each.within_judge_error and each.largest_bias is not None:
            scale = subset.data.dimension(name).scale
            lines.append(
                f"{subset.label}: the difference of {scale.show_change(each.judge)} on {name} is within the "
                f"reviewer's own error, which may reach {scale.show_size(each.largest_bias)}"
            )
    reasons = Counter(each.reason for each in found.values() if each.reason)
    return [*lines, *(f"{count} differences without a correction: {why}" for why, count in reasons.items())]

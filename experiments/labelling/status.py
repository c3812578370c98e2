"""How far the labels of a run are: by annotator, their agreement, and what further labels would give."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

from ansatz.errors import InvalidData
from ansatz.eval.calibration import Label, read_labels
from ansatz.eval.statistics.agreement import cohen_kappa, gwet_ac
from ansatz.eval.statistics.prediction_powered import CalibratedDelta
from ansatz.experiments.labelling.sample import FOLDER
from ansatz.experiments.report.judge_error import correct_differences
from ansatz.experiments.results import Results


def find_label_files(run: Path, files: Sequence[Path] = ()) -> list[Path]:
    """Return the given files, or those in the run's folder labels. Raises InvalidData if there are none."""
    found = list(files) or sorted((run / FOLDER).glob("*.jsonl"))
    if not found:
        place = run / FOLDER
        raise InvalidData(f"{place} has no labels: put the downloaded files there, or name them by --labels")
    return found


def read_by_annotator(files: Sequence[Path]) -> dict[str, dict[str, Label]]:
    """Read the labels of each annotator by answer. The scores of adjudicators are left out."""
    found: dict[str, dict[str, Label]] = {}
    for file in files:
        for label in read_labels([file]):
            if not label.adjudicates:
                found.setdefault(label.annotator or file.stem, {})[label.answer_id] = label
    return found


def summarize_labels(data: Results, labels: Sequence[Label], files: Sequence[Path]) -> dict[str, Any]:
    """Return the state of the labels as JSON: annotators, agreement, disagreements, differences.

    Parameters
    ----------
    data
        The results of the run.
    labels
        The joined labels, attached to attempts of the run.
    files
        Where they come from.
    """
    by_annotator = read_by_annotator(files)
    return {
        "answers": len({label.answer_id for label in labels}),
        "annotators": [_describe_annotator(name, own) for name, own in by_annotator.items()],
        "agreement": list(_describe_agreement(by_annotator)),
        "disagreements": list(find_disagreements(by_annotator)),
        "differences": list(_describe_differences(data, labels)),
    }


def _describe_annotator(name: str, own: Mapping[str, Label]) -> dict[str, Any]:
    seconds = [label.seconds for label in own.values() if label.seconds]
    return {
        "annotator": name,
        "labels": sum(not label.skipped for label in own.values()),
        "skipped": sum(bool(label.skipped) for label in own.values()),
        "median seconds": round(median(seconds), 1) if seconds else None,
    }


def _describe_agreement(by_annotator: Mapping[str, Mapping[str, Label]]) -> Iterator[dict[str, Any]]:
    """Yield κ and AC2 of each pair of annotators by dimension, over the answers that both scored."""
    for (first, one), (second, other) in combinations(by_annotator.items(), 2):
        shared = sorted(one.keys() & other.keys())
        names = dict.fromkeys(name for id in shared for name in one[id].human[0])
        for name in names:
            ratings = [(one[id].human[0].get(name), other[id].human[0].get(name)) for id in shared]
            ends = one[shared[0]].scale_of(name)
            scale = [float(point) for point in range(int(ends[0]), int(ends[1]) + 1)]
            kappa = cohen_kappa([a for a, _ in ratings], [b for _, b in ratings], scale)
            yield {
                "annotators": f"{first}, {second}",
                "dimension": name,
                "answers": kappa.items,
                "κ": kappa.value,
                "AC2": gwet_ac(ratings, scale).value,
            }


def find_disagreements(by_annotator: Mapping[str, Mapping[str, Label]]) -> Iterator[dict[str, Any]]:
    """Yield each answer and dimension to which annotators gave different scores."""
    answers = dict.fromkeys(id for own in by_annotator.values() for id in own)
    for id in answers:
        own = {name: labels[id].human[0] for name, labels in by_annotator.items() if id in labels}
        for dimension in dict.fromkeys(name for scores in own.values() for name in scores):
            given = {
                name: scores[dimension] for name, scores in own.items() if scores.get(dimension) is not None
            }
            if len(set(given.values())) > 1:
                yield {"answer_id": id, "dimension": dimension, "scores": given}


def _describe_differences(data: Results, labels: Sequence[Label]) -> Iterator[dict[str, Any]]:
    for (subset, name), found in correct_differences(data, labels).items():
        plain = subset.difference_from(subset.control, data.values(name))
        reach = None if plain.low is None or plain.high is None else plain.high - plain.low
        yield {
            "model": subset.system.model,
            "arm": subset.system.arm,
            "dimension": name,
            "corrected": found.estimate,
            "low": found.low,
            "high": found.high,
            "labels": found.labelled,
            "more labels that halve the interval": count_further_labels(found, reach),
            "why not": found.reason,
        }


def count_further_labels(found: CalibratedDelta, judge_length: float | None) -> int | None:
    """Estimate how many more labels would halve the interval of a corrected difference.

    The squared length is about a + b/n for n labels. The part a is that of the judge's difference over all
    answers, times the judge's weight; labels do not reduce it.

    Returns
    -------
    None if no number of labels is enough, or the interval is unknown.
    """
    if found.low is None or found.high is None or not found.labelled:
        return None
    squared = (found.high - found.low) ** 2
    fixed = ((found.tuning or 0.0) * (judge_length or 0.0)) ** 2
    room = squared / 4 - fixed
    needed = math.inf if room <= 0 else found.labelled * max(squared - fixed, 0.0) / room
    return math.ceil(needed - found.labelled) if needed <= 2 * found.problems else None

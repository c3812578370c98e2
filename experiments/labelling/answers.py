"""The distinct answers of a run, and the labels that belong to them."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ansatz.errors import InvalidData
from ansatz.eval.calibration import Label
from ansatz.eval.judging.request import replace_tool_names
from ansatz.eval.problem import Problem
from ansatz.experiments.labelling.sample import read_sample
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.results import Results

PREFIX = "answer-"


@dataclass(frozen=True)
class DistinctAnswer:
    """One distinct answer to a problem. Attempts with the same text share it."""

    id: str
    """The hash of the question and the answer."""
    problem: Problem
    text: str
    """The answer, with the names of tools and models replaced."""
    rows: tuple[int, ...]
    """Its attempts, as rows of the results."""


def collect_answers(data: Results, run: Path) -> list[DistinctAnswer]:
    """Return the distinct answers of a run, in the order of their first attempts.

    Raises
    ------
    InvalidData
        If the run has no answers, such as a run of imported scores.
    """
    rows = {attempt: row for row, attempt in enumerate(data.attempt_keys)}
    texts: dict[str, str] = {}
    problems: dict[str, Problem] = {}
    found: defaultdict[str, list[int]] = defaultdict(list)
    with Ledger.open(run, write=False) as ledger:
        for attempt in ledger.attempts():
            row = rows.get((attempt["model"], attempt["arm"], attempt["problem"], attempt["repeat"]))
            if row is None or attempt["error"] or not attempt["transcript"]:
                continue
            answer, messages = ledger.read_conversation(attempt["transcript"])
            if answer.strip():
                problem = data.problems[attempt["problem"]]
                id = identify_answer(problem, answer)
                found[id].append(row)
                if id not in texts:
                    texts[id], problems[id] = _blind(answer, messages, data.models), problem
    if not found:
        raise InvalidData(f"{run}: the run has no answers to label")
    return [DistinctAnswer(id, problems[id], texts[id], tuple(places)) for id, places in found.items()]


def identify_answer(problem: Problem, answer: str) -> str:
    """Return the id of an answer: a hash of what an annotator reads."""
    content = json.dumps([problem.context, problem.question, answer])
    return PREFIX + hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _blind(answer: str, messages: str, models: Sequence[str]) -> str:
    """Replace the names of tools and models, which would reveal the arm or the model."""
    tools = re.findall(r'"function": ?\{[^{}]*?"name": ?"([^"]+)"', messages) if "_call" in messages else []
    answer = replace_tool_names(answer, tools)
    for model in models:
        for name in {model, model.rpartition(":")[2]}:
            answer = (
                re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "the model", answer) if len(name) > 3 else answer
            )
    return answer


def attach_labels(data: Results, run: Path, labels: Iterable[Label]) -> tuple[Label, ...]:
    """Give labels of answers the attempts that they belong to, as tags, and the probability of their draw.

    A label whose answer several attempts gave is returned once for each. Labels of other ids do not change.

    Raises
    ------
    InvalidData
        If a label belongs to no answer of the run.
    """
    given = list(labels)
    if not any(_needs_attempt(label) for label in given):
        return tuple(given)
    answers = {answer.id: answer for answer in collect_answers(data, run)}
    sample = read_sample(run)
    attached: list[Label] = []
    unknown: list[str] = []
    for label in given:
        if not _needs_attempt(label):
            attached.append(label)
        elif answer := answers.get(label.answer_id):
            probability = sample.probability(answer.id) if label.probability is None else label.probability
            for row in answer.rows:
                model, arm, problem, repeat = data.attempt_keys[row]
                tags = {**label.tags, "model": model, "arm": arm, "problem": problem, "repeat": str(repeat)}
                update = {"tags": tags, "family": answer.problem.family, "probability": probability}
                attached.append(label.model_copy(update=update))
        else:
            unknown.append(label.answer_id)
    if unknown:
        ids = f"{unknown[0]}{f' and {len(unknown) - 1} more' if len(unknown) > 1 else ''}"
        raise InvalidData(f"labels: {ids}: no answer of {run} has this id; was it labelled in another run?")
    return tuple(attached)


def _needs_attempt(label: Label) -> bool:
    return label.answer_id.startswith(PREFIX) and "arm" not in label.tags


def fill_judge(data: Results, labels: Sequence[Label]) -> tuple[Label, ...]:
    """Give each labelled answer the run's own scores of the same dimensions, once for each answer.

    Points of the label's scale nearest to the stored values are used: those of a judge if the run has one,
    and those of the verifier or another scorer otherwise.
    """
    rows = {(*who, str(repeat)): row for row, (*who, repeat) in enumerate(data.attempt_keys)}
    filled: dict[str, Label] = {}
    for label in labels:
        place = tuple(label.tags.get(tag, "") for tag in ("model", "arm", "problem", "repeat"))
        row = rows.get(place)
        if label.answer_id in filled or row is None or label.judge:
            filled.setdefault(label.answer_id, label)
            continue
        names = dict.fromkeys(name for rater in label.human for name in rater)
        scores = {name: value for name, value in _read_scores(data, row, names) if value is not None}
        points = {name: _nearest_point(label, name, value) for name, value in scores.items()}
        filled[label.answer_id] = label.model_copy(update={"judge": points})
    return tuple(filled.values())


def _read_scores(data: Results, row: int, names: Iterable[str]) -> Iterator[tuple[str, float | None]]:
    for name in names:
        for column in find_columns(data, name):
            value = float(data.values(column)[row])
            if not np.isnan(value):
                yield name, value
                break


def find_columns(data: Results, name: str) -> list[str]:
    """Return the run's dimensions of that name, those of judges first: judge.G4, then G4."""
    same = [each.name for each in data.with_role("quality") if each.name.rpartition(".")[2] == name]
    return sorted(same, key=lambda column: "." not in column)


def _nearest_point(label: Label, name: str, value: float) -> float:
    low, high = label.scale_of(name)
    return float(round(low + value * (high - low)))

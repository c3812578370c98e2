"""What `ansatz label` does: draw answers and write pages, report the state of labels, join them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ansatz.errors import BadInput, InvalidData
from ansatz.eval.calibration import Label, read_labels
from ansatz.eval.judging.rubric import Criterion, Rubric
from ansatz.experiments.labelling.answers import (
    DistinctAnswer,
    attach_labels,
    collect_answers,
    fill_judge,
    find_columns,
)
from ansatz.experiments.labelling.page import check_annotator, write_page
from ansatz.experiments.labelling.sample import (
    FOLDER,
    Draw,
    Pick,
    add_draw,
    draw_sample,
    read_sample,
    weigh_doubt,
)
from ansatz.experiments.labelling.status import (
    find_disagreements,
    find_label_files,
    read_by_annotator,
    summarize_labels,
)
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.results import Results
from ansatz.quantities.did_you_mean import nearest

_RUBRICS = ("tps", "prefs", "prefs_conceptual", "tpbench", "apbench")
_ADJUDICATOR = "adjudicator"
_ENOUGH = 10  # labels of an arm: with fewer, the scatter of human scores is poorly known


@dataclass(frozen=True)
class LabelRequest:
    """The settings of `ansatz label`."""

    dimensions: tuple[str, ...] = ()
    """What to score; by default the run's judged dimensions, or its first one."""
    criteria: Path | None = None
    """A rubric file instead of dimensions."""
    number: int = 30
    """The number of answers."""
    annotators: tuple[str, ...] = ("annotator",)
    double: float = 0.2
    """The share of answers that all annotators score."""
    pick: Pick = "random"
    findings: bool = False
    """Whether the page offers the findings of the verifier."""
    seed: int = 0


@dataclass(frozen=True)
class Written:
    """Pages that were written."""

    pages: tuple[Path, ...]
    summary: str
    """What was drawn, in one sentence."""


def write_pages(run: Path, request: LabelRequest) -> Written:
    """Draw answers of a run, and write a page for each annotator.

    Raises BadInput, InvalidRubric or InvalidData for what cannot be labelled.
    """
    annotators = [check_annotator(name) for name in request.annotators]
    if len(set(annotators)) < len(annotators):
        raise BadInput("--annotator: two annotators have the same name")
    data = read_results(run)
    rubric = load_rubric(data, request.dimensions, request.criteria)
    answers = collect_answers(data, run)
    by_id = {answer.id: answer for answer in answers}
    drawn, draw = _draw(data, answers, rubric, request)
    if draw not in read_sample(run).draws:
        add_draw(run, draw)
    known = _find_labelled(run, rubric)
    left = [id for id in drawn if id not in known]
    if not left:
        raise BadInput(f"all {len(drawn)} answers of this draw have labels; --n {2 * len(drawn)} draws more")
    texts = _read_findings(data, [by_id[id] for id in left], rubric) if request.findings else None
    pages = []
    for name, part in _divide(left, annotators, request).items():
        pages.append(run / FOLDER / f"{name}.html")
        write_page(pages[-1], [by_id[id] for id in part], rubric, name, findings=texts)
    summary = (
        f"{len(left)} of {len(answers)} distinct answers, to score on {', '.join(rubric.criteria)}; "
        f"open {'the page' if len(pages) == 1 else 'each page'} in a browser, "
        f"put the file that it downloads into {run / FOLDER}, then use `ansatz label {run} --status`"
    )
    systems = len({data.attempt_keys[answer.rows[0]][:2] for answer in answers})
    if request.number < _ENOUGH * systems:
        each = round(request.number / systems)
        number = "1 answer" if each == 1 else f"{each} answers"
        summary += (
            f"\nabout {number} of each arm: enough to measure agreement; a corrected difference "
            f"needs about {_ENOUGH} of each (--n {_ENOUGH * systems})"
        )
    return Written(tuple(pages), summary)


def load_rubric(data: Results, dimensions: Sequence[str], criteria: Path | None) -> Rubric:
    """Return the criteria: those of a file, or those of dimensions of the run."""
    if criteria is not None and dimensions:
        raise BadInput("--dimension and --criteria exclude each other")
    if criteria is not None:
        return Rubric.load(criteria)
    quality = {each.name.rpartition(".")[2]: each for each in data.with_role("quality")}
    judged = [each.name.rpartition(".")[2] for each in data.with_role("quality") if "." in each.name]
    names = list(dimensions) or judged or list(quality)[:1]
    for name in names:
        if name not in quality:
            raise BadInput(f"--dimension: the run has no dimension {name!r}{nearest(name, list(quality))}")
    found = {name: _find_criterion(name, quality[name].summary).model_dump() for name in names}
    return Rubric.model_validate({"criteria": found})


def _find_criterion(name: str, summary: str) -> Criterion:
    """Return the criterion of that name in a rubric of Ansatz, or a plain one."""
    for each in _RUBRICS:
        found = Rubric.load(each).criteria.get(name)
        if found is not None:
            return found
    question = f"How good is this answer? {summary[:1].upper()}{summary[1:]}: 0 no, 1 in part, 2 yes."
    return Criterion(title=name, question=question)


def _draw(
    data: Results, answers: Sequence[DistinctAnswer], rubric: Rubric, request: LabelRequest
) -> tuple[list[str], Draw]:
    """Draw answers, sorted by model, arm and family, with the record of the draw."""
    strata = [
        (*data.attempt_keys[answer.rows[0]][:2], answer.problem.family, answer.problem.id)
        for answer in answers
    ]
    sizes = None
    if request.pick == "doubtful":
        rows = [answer.rows[0] for answer in answers]
        columns = [find_columns(data, name) for name in rubric.criteria]
        if not any(columns):
            raise BadInput("--pick doubtful needs scores of the run on the criteria; use --pick random")
        scores = [np.stack([data.values(each)[rows] for each in same], axis=1) for same in columns if same]
        sizes = weigh_doubt(scores)
    ids = [answer.id for answer in answers]
    drawn, chances = draw_sample(ids, strata, request.number, request.seed, sizes)
    number = min(request.number, len(ids))
    kept = {} if sizes is None else {id: round(chance, 9) for id, chance in chances.items()}
    return drawn, Draw(request.seed, request.pick, number, len(ids), rubric.sha256, kept)


def _divide(ids: Sequence[str], annotators: Sequence[str], request: LabelRequest) -> dict[str, list[str]]:
    """Divide the answers among annotators; the first share goes to all of them."""
    if len(annotators) == 1:
        return {annotators[0]: list(ids)}
    common = round(request.double * len(ids))
    parts = {}
    for place, name in enumerate(annotators):
        part = [*ids[:common], *ids[common + place :: len(annotators)]]
        random.Random(f"{request.seed}/{name}").shuffle(part)
        parts[name] = part
    return parts


def _find_labelled(run: Path, rubric: Rubric) -> set[str]:
    """Return the answers that have labels under these criteria."""
    files = sorted((run / FOLDER).glob("*.jsonl"))
    labels = [label for file in files for label in read_labels([file])]
    return {label.answer_id for label in labels if label.rubric == rubric.sha256}


def _read_findings(data: Results, answers: Sequence[DistinctAnswer], rubric: Rubric) -> dict[str, str]:
    """Return the evidence of the rules' scores on the criteria, by answer."""
    found = {}
    for answer, evidence in zip(answers, data.read_evidence(each.rows[0] for each in answers), strict=True):
        lines = [f"{name}: {evidence[name][0]}" for name in rubric.criteria if name in evidence]
        found[answer.id] = "\n".join(lines) or "The verifier has no finding."
    return found


def describe_status(run: Path, files: Sequence[Path]) -> dict[str, Any]:
    """Return the state of the labels; see `summarize_labels`."""
    found = find_label_files(run, files)
    data = read_results(run)
    labels = attach_labels(data, run, read_labels(found))
    sample = read_sample(run)
    drawn = {"drawn": sum(draw.number for draw in sample.draws)} if sample.draws else {}
    return {**drawn, **summarize_labels(data, labels, found)}


def write_adjudication(
    run: Path,
    files: Sequence[Path],
    dimensions: Sequence[str],
    criteria: Path | None,
    annotators: Sequence[str],
) -> Iterator[Path]:
    """Write a page of the answers on which annotators disagree, and return it.

    Raises
    ------
    InvalidData
        If there is no disagreement, or labels were given under other criteria.
    """
    found = find_label_files(run, files)
    by_annotator = read_by_annotator(found)
    settled = {label.answer_id for file in found for label in read_labels([file]) if label.adjudicates}
    given: dict[str, list[str]] = {}
    names: dict[str, None] = {}
    for each in find_disagreements(by_annotator):
        if each["answer_id"] not in settled:
            scores = ", ".join(f"{score:g}" for score in sorted(each["scores"].values()))
            given.setdefault(each["answer_id"], []).append(f"{each['dimension']}: {scores}")
            names[each["dimension"]] = None
    if not given:
        raise InvalidData(f"{run}: no two annotators disagree")
    data = read_results(run)
    rubric = load_rubric(data, () if criteria else dimensions or list(names), criteria)
    by_id = {answer.id: answer for answer in collect_answers(data, run)}
    answers = [by_id[id] for id in given if id in by_id]
    name = check_annotator(annotators[0] if annotators else _ADJUDICATOR)
    page = run / FOLDER / f"{name}.html"
    shown: Mapping[str, str] = {id: "; ".join(lines) for id, lines in given.items()}
    write_page(page, answers, rubric, name, given=shown)
    yield page


def write_final(run: Path, files: Sequence[Path], out: Path) -> int:
    """Write one JSONL of all labels with arms, families and the run's own scores; return their number."""
    found = find_label_files(run, files)
    data = read_results(run)
    labels: Sequence[Label] = fill_judge(data, attach_labels(data, run, read_labels(found)))
    lines = [label.model_dump(mode="json", exclude_defaults=True, exclude_none=True) for label in labels]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    out.write_text(text, encoding="utf-8")
    return len(lines)

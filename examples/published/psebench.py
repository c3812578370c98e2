"""PSE-Bench: 200 open questions on process engineering, five models, five judges, and three experts.

`MODEL_evaluation_v3.xlsx` has the number of the seven rubric elements that each judge found; the form
`Human_Validation_Final (1).xlsx` has the experts' scores of 60 answers, from 0 to 7, by blind code, and the
models of the codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars

import ansatz as az
from ansatz.eval.calibration import JudgeComparison, Label, Method, compare_judges
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.agreement import Coefficient
from ansatz.eval.statistics.prediction_powered import Rated, calibrated_delta
from ansatz.experiments.results import Estimate, Results

from .clone import Clone
from .page import change, mean, points, table, write
from .published import Published
from .spreadsheet import read_sheet

MODELS = {
    "GPT-4o": "gpt4o",
    "DeepSeek-V3": "deepseek",
    "Claude Sonnet 4": "claude",
    "Gemini 2.5 Flash": "gemini",
    "Llama 3.3": "llama",
}
JUDGES = ("GPT", "Claude", "DeepSeek", "Llama", "Gemini")
_CODES = {
    "GPT-4o": "GPT-4o",
    "DeepSeek": "DeepSeek-V3",
    "Claude": "Claude Sonnet 4",
    "Gemini": "Gemini 2.5 Flash",
    "Llama": "Llama 3.3",
}
FORM, ELEMENTS = "Human_Validation_Final (1).xlsx", 7


def derive(clone: Clone) -> polars.DataFrame:
    """Read a row per question and model: elements found by each judge, and the scores of each expert."""
    asked = read_sheet(clone.read("PSE-Bench_200_GroundTruth.xlsx"))
    topics = {row[1]: row[3] for row in asked[1:]}
    experts = _read_experts(clone)
    rows: list[dict[str, Any]] = []
    for model, name in MODELS.items():
        heads, *answers = read_sheet(clone.read(f"{name}_evaluation_v3.xlsx"))
        places = {judge: heads.index(f"{judge} (found/total)") for judge in JUDGES}
        for row in answers:
            question = str(row[1])
            human = experts.get((question, model), ())
            rows.append(
                {
                    "problem": question,
                    "family": topics[question],
                    "tags.domain": row[2],
                    "model": model,
                    **{judge: _elements(row[place]) for judge, place in places.items()},
                    **{f"expert {at + 1}": human[at] if human else None for at in range(3)},
                }
            )
    return polars.DataFrame(rows, infer_schema_length=None)


def _elements(cell: Any) -> int | None:
    """Return the number of elements found, of "5/7"; None if the judge gave no score."""
    found, _, total = str(cell).partition("/")
    return int(found) if total == str(ELEMENTS) and found.isdecimal() else None


def _read_experts(clone: Clone) -> dict[tuple[str, str], tuple[int, ...]]:
    form = clone.read(FORM)
    models = {row[0]: _CODES[str(row[3])] for row in read_sheet(form, 3)[1:]}
    found = {}
    for row in read_sheet(form, 2):
        if len(row) > 9 and row[1] in models:
            found[str(row[2]), models[row[1]]] = tuple(int(row[at]) for at in (5, 7, 9))  # type: ignore[arg-type]
    return found


SET = Published(
    name="psebench",
    repository="sombsuk/PSE-Bench",
    commit="c8e67d7d8f156c4bd77c931e84b0aadff3a1ffa2",
    licence="MIT, Copyright (c) 2026 sombsuk",
    citation=(
        "S. Sukpancharoen and T. R. Srinophakun, Benchmarking AI prompt performance of large language "
        "models across "
        "chemical process systems engineering domains using multi-judge evaluation, under review, 2026"
    ),
    fields="The scores are numbers of elements in the publisher's evaluation files.",
    derive=derive,
    settings={"wide": "dimension", "scales": {"": (0, ELEMENTS)}, "baseline": "GPT-4o"},
)

_PANEL = "mean of the five"
EXPERTS = ("expert 1", "expert 2", "expert 3")
_REPORTED = {
    "GPT-4o": 67.1,
    "DeepSeek-V3": 78.1,
    "Claude Sonnet 4": 72.6,
    "Gemini 2.5 Flash": 70.9,
    "Llama 3.3": 60.8,
}
"""Element coverage in percent: `PSE-Bench_Summary.xlsx`."""
_OWN = dict(
    zip(JUDGES, ("GPT-4o", "Claude Sonnet 4", "DeepSeek-V3", "Llama 3.3", "Gemini 2.5 Flash"), strict=True)
)
"""The model of each judge's provider."""


def _average(data: Results, names: Sequence[str]) -> np.ndarray:
    """Return the mean of several dimensions by attempt; NaN without any."""
    values = np.stack([data.values(name) for name in names])
    known = ~np.isnan(values)
    count = known.sum(axis=0)
    return np.divide(
        np.where(known, values, 0).sum(axis=0), count, out=np.full(len(count), np.nan), where=count > 0
    )


def _label(data: Results, judge: np.ndarray) -> list[Label]:
    """Return a label for each answer that the experts scored, in numbers of elements."""
    experts = [data.values(name) for name in EXPERTS]
    found = []
    for row, (_, arm, question, _) in enumerate(data.attempt_keys):
        if np.isnan(experts[0][row]) or np.isnan(judge[row]):
            continue
        human = tuple({"elements": float(round(ELEMENTS * own[row]))} for own in experts)
        about = {"answer_id": f"{question} by {arm}", "family": question, "tags": {"model": arm}}
        found.append(Label(human=human, judge={"elements": float(round(ELEMENTS * judge[row]))}, **about))  # type: ignore[arg-type]
    return found


def _coefficient(found: Coefficient) -> str:
    ends = "" if found.low is None or found.high is None else f" [{found.low:.2f}, {found.high:.2f}]"
    return "–" if found.value is None else f"{found.value:.2f}{ends}".replace("-", "−")


def write_page(run: az.Run) -> Path:
    data = run.results
    panel = _average(data, JUDGES)
    compared = _compare_with_experts(data, panel)
    agreement = [
        [each.dimension, _coefficient(each.rho), _coefficient(each.ac), _bias(each.bias)]
        for each in compared.judges
    ]
    corrections = _correct_differences(data, panel)
    first, judged, _, corrected = corrections[0]
    subsets = {each.system.arm: each for each in data.subsets()}
    preferences = _preferences(data)
    own = [
        [judge, *(points(mean(subsets[arm], judge).value) for arm in data.arms), preferences[judge]]
        for judge in JUDGES
    ]
    reported = [[arm, f"{_REPORTED[arm]:.1f}", points(subsets[arm].mean_value(panel))] for arm in data.arms]
    return write(
        SET,
        run,
        "judges-psebench",
        attempts=len(data.attempts),
        labelled=compared.answers,
        rho=next(_coefficient(each.rho) for each in compared.judges if each.dimension == _PANEL),
        first=first,
        judged=judged,
        corrected=corrected,
        agreement=table(["judge", "ρ with the experts", "AC2", "bias, of 7 elements"], agreement),
        people=_coefficient(compared.judges[0].annotators),
        corrections=table(["difference, 0–100", "by the judges", "judges' error", "corrected"], corrections),
        preferences=table(["judge", *data.arms, "preference for its own"], own),
        problems=len(data.problem_list),
        topics=len({problem.family for problem in data.problem_list}),
        reported=table(["element coverage", "publisher, %", "here, 0–100"], reported),
    )


def _compare_with_experts(data: Results, panel: np.ndarray) -> JudgeComparison:
    """Compare each judge, and the mean of all, with the experts."""
    judges = {**{name: data.values(name) for name in JUDGES}, _PANEL: panel}
    labels = {name: _label(data, values) for name, values in judges.items()}
    return compare_judges(labels, Method(scale=tuple(map(float, range(ELEMENTS + 1))), seed=data.seed))


def _correct_differences(data: Results, panel: np.ndarray) -> list[list[str]]:
    """Make a row per model: its difference from the baseline by the judges, their error, and corrected."""
    subsets = {each.system.arm: each for each in data.subsets()}
    families = [problem.family for problem in data.problem_list]
    experts = _average(data, EXPERTS)
    rows = []
    for arm in data.arms[1:]:
        rated = [
            Rated(each.mean_by_problem(panel), each.mean_by_problem(experts))
            for each in (subsets[arm], subsets[data.baseline])
        ]
        found = calibrated_delta(*rated, families, seed=data.seed)
        rows.append(
            [
                f"{arm} − {data.baseline}",
                _interval(found.judge, None, None),
                _interval(found.bias, found.bias_low, found.bias_high),
                _interval(found.estimate, found.low, found.high),
            ]
        )
    return rows


def _bias(found: PairedDelta) -> str:
    ends = "" if found.low is None or found.high is None else f" [{found.low:+.2f}, {found.high:+.2f}]"
    return "–" if found.estimate is None else f"{found.estimate:+.2f}{ends}".replace("-", "−")


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    return change(Estimate(value, low, high))


def _preferences(data: Results) -> dict[str, str]:
    """Compare each judge with the others: its own model against the other models. Adjusted for all judges."""
    by_judge = {name: [each.mean_by_problem(data.values(name)) for each in data.subsets()] for name in JUDGES}
    deltas = {}
    for judge in JUDGES:
        own = data.arms.index(_OWN[judge])
        leads = {
            name: found[own] - np.mean([each for at, each in enumerate(found) if at != own], axis=0)
            for name, found in by_judge.items()
        }
        more = leads[judge] - np.mean([lead for name, lead in leads.items() if name != judge], axis=0)
        [known] = np.nonzero(~np.isnan(more))
        deltas[judge] = data.mean_over_families(more[known], known, len(more) - len(known), (-2.0, 2.0))
    return {judge: change(found) for judge, found in data.estimate_deltas(deltas).items()}

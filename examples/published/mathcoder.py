"""MathCoder: 1,472 maths questions, three models that write and run code, with their whole conversations.

The conversations are in `outs/MODEL/SET/SET_test_result-TIME.jsonl`, as texts, code and what the code
printed. They are imported as attempts with tool calls, of which the funnel finds stages and faults.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars

import ansatz as az
from ansatz.eval import Problem
from ansatz.eval.answer_files import Answer
from ansatz.eval.problem_files import problems
from ansatz.eval.statistics.paired import clustered_mean
from ansatz.experiments.attribution.funnel import FAULTS, STAGES
from ansatz.experiments.imported_answers import score_imported_answers
from ansatz.experiments.results import Estimate, Results, Subset

from .clone import Clone
from .page import mean, points, table, with_interval, write
from .published import Published

MODELS = ("MathCoder-L-7b", "MathCoder-L-13b", "MathCoder-L-70b")
SETS = ("simuleq", "mathematics")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_TOLERANCE = 1e-3
_CODES = dict(zip(FAULTS, "frdiwu", strict=True))
_RIGHT = "+"


def derive(clone: Clone) -> polars.DataFrame:
    """Read a row per question: for each model, the stages and faults of its attempt.

    A cell has the number of stages that the attempt reached, a letter for each fault, and a plus if the
    publisher found the answer right.
    """
    cells: dict[str, dict[str, str]] = {}
    for model in MODELS:
        answers, asked, right = [], [], set()
        for name in SETS:
            path = _find_file(clone, model, name)
            correct = {
                _read_question(row) for row in clone.json_lines(path.replace(".jsonl", "-correct.jsonl"))
            }
            for number, row in enumerate(clone.json_lines(path)):
                key = str(row["ground_truth"]["answer"])
                if _NUMBER.fullmatch(key):
                    id = f"{name}-{number}"
                    asked.append(_make_problem(id, row, float(key)))
                    answers.append(_make_answer(id, row))
                    right |= {id} if _read_question(row) in correct else set()
        for id, calls in _trace(answers, asked).items():
            cells.setdefault(id, {})[model.removeprefix("MathCoder-")] = encode(calls, id in right)
    return polars.DataFrame([{"problem": id, **row} for id, row in cells.items()])


def _find_file(clone: Clone, model: str, name: str) -> str:
    """Return the path of the last file with all conversations; others have only right or wrong ones."""
    paths = clone.list(f"outs/{model}/{name}/{name}_test_result-", ".jsonl")
    return [path for path in paths if not path.endswith(("-correct.jsonl", "-wrong.jsonl"))][-1]


def _read_question(row: Mapping[str, Any]) -> str:
    return str(row["debug_result"][1]["content"])


def _make_problem(id: str, row: Mapping[str, Any], value: float) -> Problem:
    target = {"name": "answer", "value": value, "unit": "-", "tolerance": _TOLERANCE}
    [problem] = problems([{"id": id, "question": _read_question(row), "targets": [target]}])
    return problem


def _make_answer(id: str, row: Mapping[str, Any]) -> Answer:
    """Make an attempt of a published conversation, whose last text is the value that the publisher read."""
    steps = row["debug_result"]
    text = steps[-1]["content"] if steps[-1]["role"] == "text" else ""
    return Answer(problem_id=id, text=text, model="m", arm="python", repeat=0, messages=[*_convert(steps)])


def _convert(steps: list[dict[str, str]]) -> Iterator[dict[str, Any]]:
    """Convert steps to messages in OpenAI's form."""
    for number, step in enumerate(steps):
        role, content = step["role"], step["content"]
        if role == "code":
            function = {"name": "python", "arguments": json.dumps({"code": content})}
            yield {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": f"{number}", "function": function}],
            }
        elif role == "execution":
            yield {"role": "tool", "tool_call_id": f"{number - 1}", "name": "python", "content": content}
        else:
            yield {"role": "assistant" if role == "text" else role, "content": content}


def _trace(answers: Sequence[Answer], asked: Sequence[Problem]) -> dict[str, list[dict[str, Any]]]:
    """Return the tool calls of each attempt, as the funnel finds them."""
    with tempfile.TemporaryDirectory() as folder:
        run = asyncio.run(score_imported_answers(answers, asked, Path(folder) / "run"))
        calls: dict[str, list[dict[str, Any]]] = {each.id: [] for each in asked}
        for row in run.tool_calls().iter_rows(named=True):
            calls[row["problem"]].append(row)
    return calls


def encode(calls: Sequence[Mapping[str, Any]], right: bool) -> str:
    """Return the cell of an attempt."""
    used = [each for each in calls if each["use"] in ("used", "converted")]
    in_answer = [each for each in used if each["in_answer"]]
    reached = (
        calls,
        [each for each in calls if each["use"] != "failed"],
        used,
        in_answer,
        in_answer if right else [],
    )
    has = {
        "failed": any(each["use"] == "failed" for each in calls),
        "recovered": any(each["recovered"] for each in calls),
        "redundant": any(each["redundant"] for each in calls),
        "ignored": any(each["use"] == "ignored" for each in calls),
        "copied wrongly": any(each["use"] == "copied wrongly" for each in calls),
        "unknown": any(each["use"] == "unknown" and not each["redundant"] for each in calls),
    }
    faults = "".join(letter for name, letter in _CODES.items() if has[name])
    return f"{sum(map(bool, reached))}{faults}{_RIGHT if right else ''}"


def arrange(stored: polars.DataFrame) -> polars.DataFrame:
    """Make a row per question and model, with a column per stage and fault."""
    long = stored.unpivot(index="problem", variable_name="model", value_name="cell")
    cell = polars.col("cell")
    reached = cell.str.slice(0, 1).cast(polars.Int64)
    return long.select(
        "problem",
        "model",
        polars.col("problem").str.split("-").list.get(0).alias("tags.set"),
        cell.str.contains(_RIGHT, literal=True).cast(polars.Int64).alias("answer right"),
        *((reached >= at).cast(polars.Int64).alias(name) for at, name in enumerate(STAGES, 1)),
        *(cell.str.contains(letter).cast(polars.Int64).alias(name) for name, letter in _CODES.items()),
    )


SET = Published(
    name="mathcoder",
    repository="mathllm/MathCoder",
    commit="d6c91fbd8c02ad9f9669423f4ff331dc1605d126",
    licence="Apache 2.0",
    citation=(
        "K. Wang et al., MathCoder: Seamless code integration in LLMs for enhanced mathematical reasoning, "
        "ICLR 2024, arXiv:2310.03731"
    ),
    fields=(
        "The conversations are the field `debug_result` of the publisher's result files. The verdicts are "
        "their division into right and wrong. The scores are what the tool funnel of Ansatz finds in them."
    ),
    derive=derive,
    settings={"wide": "dimension"},
    arrange=arrange,
)


def write_page(run: az.Run) -> Path:
    data = run.results
    subsets = {each.system.arm: each for each in data.subsets()}
    models = [*subsets]
    by_set = [
        [f"{model}, {name}", *(points(mean(subsets[model].where(part), each).value) for each in STAGES)]
        for model in models
        for name in SETS
        for part in [data.where(lambda problem, name=name: problem.tags["set"] == name)]
    ]
    return write(
        SET,
        run,
        "funnel-mathcoder",
        attempts=len(data.problem_list),
        best=points(mean(subsets["L-70b"], "in answer").value),
        best_right=_share_right(data, subsets["L-70b"], "in answer", 1.0),
        best_other=_share_right(data, subsets["L-70b"], "in answer", 0.0),
        funnel=_make_table(subsets, STAGES),
        faults=_make_table(subsets, FAULTS),
        by_set=table(["model and set", *STAGES], by_set),
        right=table(
            ["right answers, if …", *models],
            [
                [f"{label}", *(_share_right(data, own, name, value) for own in subsets.values())]
                for label, name, value in _CONDITIONS
            ],
        ),
    )


_CONDITIONS = (
    ("all attempts", "", 0.0),
    ("a result is in the answer", "in answer", 1.0),
    ("none is", "in answer", 0.0),
    ("a call failed", "failed", 1.0),
    ("none failed", "failed", 0.0),
)
"""The conditions of attempts on the page: a label, and a dimension with its value."""


def _make_table(subsets: Mapping[str, Subset], names: Sequence[str]) -> str:
    return table(
        ["model", *names],
        [[model, *(with_interval(mean(own, name)) for name in names)] for model, own in subsets.items()],
    )


def _share_right(data: Results, own: Subset, name: str, value: float) -> str:
    """Return the share of right answers among the attempts under a condition, and their number."""
    right = own.mean_by_problem(data.values("answer right"))
    chosen = own.mean_by_problem(data.values(name)) == value if name else np.full(len(right), True)
    found = clustered_mean(right[chosen], data.family[chosen], seed=data.seed, ends=(0.0, 1.0))
    return f"{with_interval(Estimate.from_delta(found))} of {np.count_nonzero(chosen):,}"

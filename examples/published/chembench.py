"""ChemBench: 2,788 chemistry questions, two models with tools and without.

The publisher's verdicts are in `reports/MODEL/MODEL.json`, as `all_correct`; the requirements of a question
are keywords in the reports by question.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars

import ansatz as az
from ansatz.eval.statistics.paired import clustered_mean
from ansatz.experiments.results import Estimate, Results, System

from .clone import Clone
from .page import (
    against_baseline,
    change,
    differences,
    judged,
    mean,
    points,
    table,
    with_interval,
    write,
)
from .published import Published

REPORTS = "src/data/chem-bench-main/reports"
SYSTEMS = {
    ("GPT-4o", "plain"): "gpt-4o",
    ("GPT-4o", "tools"): "gpt-4o-react",
    ("Claude 3.5 Sonnet", "plain"): "claude3.5",
    ("Claude 3.5 Sonnet", "tools"): "claude3.5-react",
}
REQUIREMENTS = ("calculation", "knowledge", "reasoning", "intuition")


def derive(clone: Clone) -> polars.DataFrame:
    """Read a row per question: its requirement, and a verdict for each system."""
    keywords = {}
    for path in clone.list(f"{REPORTS}/gpt-4o/reports/", ".json"):
        [task] = clone.json(path)
        keywords[task["name"]] = {each.removeprefix("requires-") for each in task["keywords"]}
    found = {
        system: {
            each["question_name"]: each["all_correct"]
            for each in clone.json(f"{REPORTS}/{name}/{name}.json")["model_scores"]
        }
        for system, name in SYSTEMS.items()
    }
    rows = []
    for question in sorted(found["GPT-4o", "plain"]):
        own = keywords.get(question, set())
        rows.append(
            {
                "problem": question,
                "tags.requires": " and ".join(each for each in REQUIREMENTS if each in own) or "not stated",
                **{f"{model}: {arm}": found[model, arm].get(question) for model, arm in SYSTEMS},
            }
        )
    return polars.DataFrame(rows)


def arrange(table: polars.DataFrame) -> polars.DataFrame:
    """Make a row per question, model and arm."""
    systems = [f"{model}: {arm}" for model, arm in SYSTEMS]
    long = table.unpivot(systems, index=["problem", "tags.requires"], value_name="value")
    parts = polars.col("variable").str.split(": ")
    return long.with_columns(
        parts.list.get(0).alias("model"),
        parts.list.get(1).alias("arm"),
    ).drop("variable")


SET = Published(
    name="chembench",
    repository="lamalab-org/chembench-paper",
    commit="8fe22914b81978d180e6182ea982eb58e2e0e8dc",
    licence="MIT, Copyright (c) 2024 lamalab-org",
    citation=(
        "A. Mirza et al., Are large language models superhuman chemists?, arXiv:2404.01475, and the paper's "
        "repository at the commit above"
    ),
    fields="The scores are the field `all_correct` of the publisher's result files.",
    derive=derive,
    settings={"baseline": "plain"},
    arrange=arrange,
)

REPORTED = {
    ("GPT-4o", "plain"): (0.61, 0.72, 0.51, 0.73, 0.59),
    ("GPT-4o", "tools"): (0.51, 0.54, 0.44, 0.67, 0.42),
    ("Claude 3.5 Sonnet", "plain"): (0.63, 0.65, 0.53, 0.77, 0.58),
    ("Claude 3.5 Sonnet", "tools"): (0.62, 0.71, 0.50, 0.77, 0.60),
}
"""Overall and by requirement, in the order of REQUIREMENTS: `src/tex/output/performance_table.tex`."""


def by_kind(data: Results, model: str) -> str:
    """Compare tools with plain answers, resampling kinds: questions whose names differ in numbers only."""
    tools, plain = (
        data.subset(System(model, arm)).mean_by_problem(data.values("score")) for arm in ("tools", "plain")
    )
    kinds = np.array([re.sub(r"\d+", "#", problem.id) for problem in data.problem_list])
    found = clustered_mean(tools - plain, kinds, seed=data.seed, ends=(-1.0, 1.0))
    return f"{model} {change(Estimate.from_delta(found))} over {found.families} kinds"


def write_page(run: az.Run) -> Path:
    data = run.results
    subsets = {each.system: each for each in data.subsets()}
    changes = against_baseline(data)
    parts = {
        each: data.where(lambda problem, each=each: each in problem.tags["requires"]) for each in REQUIREMENTS
    }
    by_requirement = differences(
        data,
        {
            (model, name): (
                subsets[System(model, "tools")].where(part),
                subsets[System(model, "plain")].where(part),
            )
            for model in data.models
            for name, part in parts.items()
        },
    )
    rows = [
        [
            model,
            *(with_interval(mean(subsets[System(model, arm)])) for arm in data.arms),
            change(changes[System(model, "tools")]),
        ]
        for model in data.models
    ]
    split = [
        [model, *(change(by_requirement[model, name]) for name in REQUIREMENTS)] for model in data.models
    ]
    reported = [
        [
            f"{model}, {arm}, {name}",
            f"{value:.2f}",
            points(mean(subsets[System(model, arm)].where(part)).value),
        ]
        for (model, arm), values in REPORTED.items()
        for (name, part), value in zip({"overall": data.all_attempts, **parts}.items(), values, strict=True)
    ]
    return write(
        SET,
        run,
        "tools-chembench",
        problems=len(data.problem_list),
        gpt=judged(changes[System("GPT-4o", "tools")]),
        claude=judged(changes[System("Claude 3.5 Sonnet", "tools")]),
        scores=table(["model", "plain 0–100", "tools 0–100", "Δ of tools"], rows),
        by_requirement=table(["Δ of tools", *REQUIREMENTS], split),
        preferences=sum("intuition" in problem.tags["requires"] for problem in data.problem_list),
        by_kind="; ".join(by_kind(data, model) for model in data.models),
        reported=table(["figure", "publisher", "here, 0–100"], reported),
    )

"""ThermoQA: 293 questions on properties, components and cycles, three runs of each model.

The publisher's scores are in `results*/PROVIDER/runN/responses.jsonl`, as `question_score`.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import polars

import ansatz as az

from .clone import Clone, MissingFile
from .page import (
    change,
    describe_size,
    differences,
    mean,
    points,
    rank_arms,
    table,
    with_interval,
    write,
)
from .published import Published, trim

MODELS = {
    "GPT-5.4": "openai",
    "Gemini 3.1 Pro": "google",
    "Grok 4": "xai",
    "Claude Opus 4.6": "anthropic",
    "DeepSeek-R1": "deepseek",
    "MiniMax M2.5": "minimax",
}
TIERS = {"1, properties": "results", "2, components": "results_tier2", "3, cycles": "results_tier3"}


def derive(clone: Clone) -> polars.DataFrame:
    """Read a row per question and run, with a column for each model whose nine files the clone has."""
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for model, provider in MODELS.items():
        try:
            found = {
                (tier, run): clone.json_lines(f"{folder}/{provider}/run{run}/responses.jsonl")
                for tier, folder in TIERS.items()
                for run in (1, 2, 3)
            }
        except MissingFile as missing:
            print(f"left out: {model}, because {missing}")
            continue
        for (tier, run), answers in found.items():
            for each in answers:
                family = each["id"].rpartition("-")[0]
                about = {"problem": each["id"], "family": family, "tags.tier": tier, "repeat": run}
                rows.setdefault((each["id"], run), about)[model] = trim(each["question_score"])
    return polars.DataFrame([rows[place] for place in sorted(rows)])


SET = Published(
    name="thermoqa",
    repository="olivenet-iot/ThermoQA",
    commit="f0d2c21c4d19befc06e636d882120570324355ed",
    licence="data CC-BY-4.0, code MIT",
    citation=(
        "K. Düzkar, Olivenet, ThermoQA: A Benchmark for Evaluating Thermodynamic Reasoning in Large Language "
        "Models, github.com/olivenet-iot/ThermoQA, v0.4, 2026"
    ),
    fields="The scores are the field `question_score` of the publisher's result files.",
    derive=derive,
    settings={"wide": "model", "baseline": "GPT-5.4"},
)

REPORTED = {
    "GPT-5.4": (93.1, 97.8, 90.8, 89.7),
    "Gemini 3.1 Pro": (92.5, 97.9, 90.8, 87.5),
    "Grok 4": (87.3, 91.8, 87.9, 80.4),
    "Claude Opus 4.6": (94.1, 96.4, 92.1, 93.6),
    "DeepSeek-R1": (87.4, 90.5, 89.2, 81.0),
    "MiniMax M2.5": (73.0, 85.2, 76.2, 52.7),
}
"""The README's composite and the three tiers, in percent."""


def write_page(run: az.Run) -> Path:
    data = run.results
    subsets = {each.system.arm: each for each in data.subsets()}
    parts = {tier: data.where_tag("tier", tier) for tier in TIERS}
    pairs = {
        (one, other, tier): (subsets[one].where(part), subsets[other].where(part))
        for one, other in combinations(data.arms, 2)
        for tier, part in {"all": data.all_attempts, **parts}.items()
    }
    found = differences(data, pairs)
    ranks = rank_arms(data)
    best, second, *_ = sorted(data.arms, key=lambda arm: -(mean(subsets[arm]).value or 0))
    lead = found.get((best, second, "all")) or found.get((second, best, "all"))
    rows = [
        [
            arm,
            with_interval(mean(subsets[arm])),
            ranks[arm],
            *(points(mean(subsets[arm].where(p)).value) for p in parts.values()),
        ]
        for arm in data.arms
    ]
    names = {(one, other): f"{one} − {other}" for one, other in combinations(data.arms, 2)}
    split = [
        [name, *(change(found[(*pair, tier)]) for tier in ("all", *TIERS))] for pair, name in names.items()
    ]
    reported = [
        [f"{arm}, {place}", f"{value:.1f}", points(mean(subsets[arm].where(part)).value)]
        for arm in data.arms
        for (place, part), value in zip(
            {"composite": data.all_attempts, **parts}.items(), REPORTED[arm], strict=True
        )
    ]
    return write(
        SET,
        run,
        "models-thermoqa",
        size=describe_size(data),
        best=best,
        second=second,
        lead=change(lead),
        do_or_not="do" if lead and lead.is_significant else "do not",
        scores=table(["model", "score 0–100", "range of rank", *TIERS], rows),
        differences=table(["difference", "all", *TIERS], split),
        reported=table(["figure", "publisher", "here"], reported),
    )

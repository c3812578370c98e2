"""JEEBench: 515 entrance-exam problems, GPT-4 under several prompts.

The answers and the values that the publisher extracted from them are in `data/responses/SETTING_responses/`.
The scores follow the publisher's rule (`compute_metrics.py`): 1 for the right options, integer or number
within 0.01; for problems with several right options, 0.25 for each option if no wrong one is chosen.
"""

from __future__ import annotations

from pathlib import Path

import polars

import ansatz as az

from .clone import Clone, MissingFile
from .page import (
    against_baseline,
    change,
    differences,
    judged,
    mean,
    table,
    with_interval,
    write,
)
from .published import Published, trim

SETTINGS = {
    "GPT-4": "GPT4_normal",
    "GPT-4 CoT": "GPT4_CoT",
    "GPT-4 CoT 1-shot": "GPT4_CoT+OneShot",
    "GPT-4 CoT self-refine": "GPT4_CoT_self_refine",
    "GPT-3.5": "GPT3.5_normal",
    "GPT-3": "GPT3_normal",
}
SUBJECTS = {"phy": "physics", "chem": "chemistry", "math": "mathematics"}


def score(kind: str, right: str, found: str) -> float:
    """Score the extracted answer of a problem by the publisher's rule."""
    if kind.startswith("MCQ"):
        wanted, chosen = ({letter for letter in "ABCD" if letter in text} for text in (right, found))
        if chosen == wanted:
            return 1.0
        return 0.25 * len(chosen) if kind == "MCQ(multiple)" and chosen < wanted else 0.0
    return float(found != "None" and abs(float(right) - float(found)) <= 0.01)


def derive(clone: Clone) -> polars.DataFrame:
    """Read one column of scores per setting. A setting whose file the clone lacks is left out."""
    problems = clone.json("data/dataset.json")
    columns: dict[str, list[str]] = {
        "problem": [f"{each['description'].removeprefix('JEE Adv ')} {each['index']}" for each in problems],
        "tags.subject": [SUBJECTS[each["subject"]] for each in problems],
        "tags.type": [each["type"] for each in problems],
    }
    for name, folder in SETTINGS.items():
        try:
            answers = clone.json(f"data/responses/{folder}_responses/responses.json")
        except MissingFile as missing:
            print(f"left out: {missing}")
            continue
        pairs = list(zip(problems, answers, strict=True))
        assert all(problem["question"] == answer["question"] for problem, answer in pairs), name
        columns[name] = [
            trim(score(problem["type"], problem["gold"], str(answer["extract"]))) for problem, answer in pairs
        ]
    return polars.DataFrame(columns)


SET = Published(
    name="jeebench",
    repository="somethingdevs/cs678-jeebench",
    commit="c640d56ad8fd0fad12e19cc0f86867fbb234b754",
    licence="MIT, Copyright (c) 2023 DAIR Group, IIT Delhi",
    citation=(
        "D. Arora, H. Singh and Mausam, Have LLMs Advanced Enough? A Challenging Problem Solving Benchmark "
        "for "
        "Large Language Models, EMNLP 2023, 7527-7543, doi:10.18653/v1/2023.emnlp-main.468"
    ),
    fields="The scores follow the rule of the publisher's `compute_metrics.py`; see `jeebench.py`.",
    derive=derive,
    settings={"wide": "arm", "baseline": "GPT-4"},
)


def write_page(run: az.Run) -> Path:
    data = run.results
    subsets = {each.system.arm: each for each in data.subsets()}
    changes = {system.arm: found for system, found in against_baseline(data).items()}
    subjects = list(SUBJECTS.values())
    parts = {each: data.where_tag("subject", each) for each in subjects}
    prompts = [arm for arm in data.arms if arm.startswith("GPT-4 ")]
    by_subject = differences(
        data,
        {
            (arm, subject): (subsets[arm].where(part), subsets["GPT-4"].where(part))
            for arm in prompts
            for subject, part in parts.items()
        },
    )
    rows = [[arm, with_interval(mean(subsets[arm])), change(changes.get(arm))] for arm in data.arms]
    split = [[arm, *(change(by_subject[arm, subject]) for subject in subjects)] for arm in prompts]
    reported = [
        ["GPT-4, all problems", "about 31 %", with_interval(mean(subsets["GPT-4"]))],
        ["best setting (CoT, majority of 8)", "0.389, below 40 %", "not in the stored scores"],
    ]
    return write(
        SET,
        run,
        "prompting-jeebench",
        problems=len(data.problem_list),
        steps=judged(changes["GPT-4 CoT"]),
        one_shot=judged(changes["GPT-4 CoT 1-shot"]),
        older=judged(changes["GPT-3.5"]),
        scores=table(["setting", "score 0–100", "Δ from GPT-4"], rows),
        by_subject=table(["Δ from GPT-4", *subjects], split),
        reported=table(["figure", "publisher", "here"], reported),
    )

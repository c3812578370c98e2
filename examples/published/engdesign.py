"""EngDesign: 101 engineering design tasks, graded by simulation, three trials of twelve models.

Each log in `tasks/TASK/logs/` is one Python literal or one JSON object with `score` (0-100), `passed` and
`completion_tokens`. Literals are parsed, never executed: they contain calls, such as the repr of the answer.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from pathlib import Path
from typing import Any

import polars

import ansatz as az
from ansatz.experiments.results import System

from .clone import Clone
from .page import (
    change,
    describe_size,
    differences,
    judged,
    mean,
    table,
    with_interval,
    write,
)
from .published import Published, trim

SYSTEMS = {
    "o3": ("o3", "default"),
    "o3_high": ("o3", "more effort"),
    "o4_mini": ("o4-mini", "default"),
    "o4_mini_high": ("o4-mini", "more effort"),
    "claude3_7": ("Claude 3.7 Sonnet", "default"),
    "claude3_7_thinking": ("Claude 3.7 Sonnet", "more effort"),
    "4o": ("GPT-4o", "default"),
    "o1": ("o1", "default"),
    "gemini_flash": ("Gemini 2.0 Flash", "default"),
    "gemini_pro": ("Gemini 2.5 Pro", "default"),
    "deepseek_chat": ("DeepSeek Chat", "default"),
    "deepseek_r1": ("DeepSeek R1", "default"),
}
FIELDS = ("score", "passed", "completion_tokens")
_LOG = re.compile(r"tasks/(?P<task>\w+)/logs/\w+?_log_(?P<system>\w+)_(?P<trial>\d)\.jsonl")
_SCORE = re.compile(r"""['"]score['"]:\s*(?:np\.float64\()?(-?[\d.]+(?:e-?\d+)?)""")


def read_log(text: str) -> dict[str, Any]:
    """Return the fields of a log: the last record of it. A field that is no literal is None."""
    record = text.strip().splitlines()[-1] if _records(text) > 1 else text
    try:
        found = json.loads(record)
        return {name: found.get(name) for name in FIELDS}
    except ValueError:
        pass
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # escapes in the models' texts
        tree = ast.parse(record.strip(), mode="eval").body
    assert isinstance(tree, ast.Dict)
    named = {
        key.value: value
        for key, value in zip(tree.keys, tree.values, strict=True)
        if isinstance(key, ast.Constant)
    }
    return {name: _literal(named.get(name)) for name in FIELDS}


def _records(text: str) -> int:
    """Count the lines that begin a record: some logs have several."""
    return sum(line.startswith("{") for line in text.strip().splitlines())


def _literal(node: ast.expr | None) -> Any:
    """Return a literal, also as NumPy writes it: np.float64(3.5), np.True_. None for anything else."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("np.") and len(node.args) == 1:
        node = node.args[0]
    if isinstance(node, ast.Attribute) and node.attr in ("True_", "False_"):
        return node.attr == "True_"
    try:
        return None if node is None else ast.literal_eval(node)
    except ValueError:
        return None


def derive(clone: Clone) -> polars.DataFrame:
    """Read a row per log, and compare the scores with those that a search for the text `score` finds."""
    rows, unread, scored, equal, capped = [], 0, 0, 0, 0
    for path in clone.list("tasks/", ".jsonl"):
        named = _LOG.fullmatch(path)
        if named is None or named["system"] not in SYSTEMS:
            continue
        text = clone.text(path)
        stated = _SCORE.findall(text)
        try:
            found = read_log(text)
        except (SyntaxError, IndexError):
            unread += 1
            found = dict.fromkeys(FIELDS)
        value = found["score"]
        scored += bool(stated)
        equal += bool(stated) and value is not None and abs(float(stated[-1]) - value) < 1e-9
        capped += value is not None and value > 100
        model, arm = SYSTEMS[named["system"]]
        rows.append(
            {
                "problem": named["task"],
                "model": model,
                "arm": arm,
                "repeat": int(named["trial"]),
                "score": None if value is None else trim(min(value, 100.0)),
                "passed": None if value is None else trim(100.0 * bool(found["passed"])),
                "tokens": found["completion_tokens"],
            }
        )
    print(f"{len(rows)} logs, {unread} unreadable; {equal} of {scored} stated scores are equal")
    print(f"{capped} scores above 100 count as 100")
    return polars.DataFrame(rows, infer_schema_length=None)


def arrange(table: polars.DataFrame) -> polars.DataFrame:
    """Add the family of a task: the initials of its contributor."""
    return table.with_columns(polars.col("problem").str.replace(r"_\d+$", "").alias("family"))


SET = Published(
    name="engdesign",
    repository="AGI4Engineering/EngDesign",
    commit="c8ec338cc5f846d792d93728b00c9448111139e5",
    licence="MIT, Copyright (c) 2025 EngDesign Benchmark Team",
    citation=(
        "X. Guo, Y. Li, X. Kong et al., Toward Engineering AGI: Benchmarking the Engineering Design "
        "Capabilities of LLMs, NeurIPS 2025 Datasets and Benchmarks, arXiv:2509.16204"
    ),
    fields="The scores are the fields `score` and `passed` of the logs, which are parsed and not executed.",
    derive=derive,
    settings={"wide": "dimension", "scales": {"": (0, 100)}, "baseline": "default"},
    arrange=arrange,
)

PAIRS = {
    "o3: high effort": (System("o3", "more effort"), System("o3", "default")),
    "o4-mini: high effort": (System("o4-mini", "more effort"), System("o4-mini", "default")),
    "Claude 3.7 Sonnet: thinking": (
        System("Claude 3.7 Sonnet", "more effort"),
        System("Claude 3.7 Sonnet", "default"),
    ),
    "o1 − GPT-4o": (System("o1", "default"), System("GPT-4o", "default")),
    "DeepSeek R1 − Chat": (System("DeepSeek R1", "default"), System("DeepSeek Chat", "default")),
    "Gemini 2.5 Pro − 2.0 Flash": (
        System("Gemini 2.5 Pro", "default"),
        System("Gemini 2.0 Flash", "default"),
    ),
}
"""What is compared: a setting of one model, then models of different kinds."""


def write_page(run: az.Run) -> Path:
    data = run.results
    subsets = {each.system: each for each in data.subsets()}
    pairs = {name: (subsets[one], subsets[other]) for name, (one, other) in PAIRS.items()}
    found = {dimension: differences(data, pairs, dimension) for dimension in ("score", "passed")}  # type: ignore[arg-type]
    tokens = data.values("tokens")
    rows = []
    for name, (one, other) in pairs.items():
        more = one.log_ratio(other, tokens).estimate
        times = "–" if more is None else f"× {math.exp(more):.1f}"
        rows.append([name, change(found["score"][name]), change(found["passed"][name]), times])
    present = [each for each in data.subsets() if len(each.rows)]
    means = [
        [
            f"{each.system.model}, {each.system.arm}",
            with_interval(mean(each)),
            with_interval(mean(each, "passed")),
            str(each.count_scored(data.values("score"))),
        ]
        for each in present
    ]
    o3 = with_interval(mean(subsets[System("o3", "default")], "passed"))
    effects = {name: judged(each) for name, each in found["score"].items()}
    return write(
        SET,
        run,
        "effort-engdesign",
        effort="; ".join(f"{effects[name]} with {name}" for name in PAIRS if ":" in name),
        o1=effects["o1 − GPT-4o"],
        comparisons=table(["comparison", "Δ score 0–100", "Δ passed 0–100", "output tokens"], rows),
        systems=table(["system", "score 0–100", "passed 0–100", "tasks"], means),
        size=describe_size(data),
        reported=table(["figure", "publisher", "here"], [["o3, share of trials that pass", "34.38 %", o3]]),
    )

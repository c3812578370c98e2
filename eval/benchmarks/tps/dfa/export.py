"""The fine-tuning set on disk, as chats and as a table, and whether it holds anything of the test split.

Chats are for OpenAI's interface; the folder is one for Hugging Face `datasets`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.tps.dfa.examples import KINDS, Example
from ansatz.eval.data.duplicates import THRESHOLD, jaccard, tokens
from ansatz.eval.data.set_files import format_json_lines, write_folder
from ansatz.eval.data.splits import Split
from ansatz.eval.problem import Problem

CHAT, TABLE = "openai/train.jsonl", "data/train.jsonl"


def leakage(examples: Sequence[Example], held_out: Sequence[Problem]) -> dict[str, Any]:
    """What the examples share with the items held out.

    The families of which items seeded an example, each pair of an example and an item that are
    near-duplicates, and the highest Jaccard similarity of any pair (0 without one).
    """
    leaked = {example.seed_family for example in examples} & {problem.family for problem in held_out}
    asked = [(problem.id, tokens(problem.question)) for problem in held_out]
    alike = [
        (jaccard(words, other), example.id, id)
        for example in examples
        for words in (tokens(example.question),)
        for id, other in asked
    ]
    return {
        "test_families": sorted(leaked),
        "near_duplicates_of_test_items": [pair for likeness, *pair in alike if likeness >= THRESHOLD],
        "highest_jaccard_to_a_test_item": round(max((each[0] for each in alike), default=0.0), 4),
    }


def summary(examples: Sequence[Example], held_out: Sequence[Problem]) -> dict[str, Any]:
    """Counts by kind, domain and level, and what was checked against the held-out split."""
    return {
        "examples": len(examples),
        "seed_items": len({example.seed_item for example in examples}),
        "seed_families": len({example.seed_family for example in examples}),
        "pairs_of_formulas": len({(one.gold_equation, one.rejected_equation) for one in examples}),
        "kinds": {kind: sum(example.kind == kind for example in examples) for kind in KINDS},
        "domains": dict(sorted(Counter(example.domain for example in examples).items())),
        "levels": dict(sorted(Counter(example.level for example in examples).items())),
        "leakage": leakage(examples, held_out),
    }


def write_examples(
    examples: Sequence[Example], figures: Mapping[str, Any], made: Split, seed: int, out: Path
) -> dict[str, Any]:
    """Write chats, table, dataset card and manifest to a folder, which is made; the manifest is returned."""
    texts = {
        CHAT: format_json_lines({"messages": example.messages()} for example in examples),
        TABLE: format_json_lines(example.row() for example in examples),
    }
    split = {"seed": made.seed, "ratio": list(made.ratio), "train_items": len(made.ids("train"))}
    manifest = write_folder(out, texts, {**figures, "seed": seed, "split": split})
    told = {
        "examples": figures["examples"],
        "families": figures["seed_families"],
        "seed": seed,
        "nearest": figures["leakage"]["highest_jaccard_to_a_test_item"],
    }
    for by in ("kinds", "domains"):
        told[by] = "\n".join(f"| {name} | {count} |" for name, count in figures[by].items())
    card = Path(__file__).with_name("card.md").read_text(encoding="utf-8")
    for name, value in told.items():
        card = card.replace(f"{{{name}}}", str(value))
    (out / "README.md").write_text(card, encoding="utf-8")
    return manifest

"""Writes the fine-tuning set as chats and as a table, and checks it for overlap with the test split.

The chats are for OpenAI's API, the folder for Hugging Face `datasets`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.tps.dfa.examples import KINDS, Example
from ansatz.eval.curation.duplicates import THRESHOLD, jaccard, split_tokens
from ansatz.eval.curation.set_files import format_json_lines, write_folder
from ansatz.eval.curation.splits import Split
from ansatz.eval.problem import Problem

CHAT, TABLE = "openai/train.jsonl", "data/train.jsonl"


def leakage(examples: Sequence[Example], held_out: Sequence[Problem]) -> dict[str, Any]:
    """Return the overlap of the examples with the held-out items.

    These are the held-out families that seeded an example, and the near-duplicate pairs of an example and an
    item. The highest Jaccard similarity of any pair (0 without one) is added.
    """
    leaked = {example.seed_family for example in examples} & {problem.family for problem in held_out}
    items = [(problem.id, split_tokens(problem.question)) for problem in held_out]
    similarities = [
        (jaccard(words, other), example.id, id)
        for example in examples
        for words in (split_tokens(example.question),)
        for id, other in items
    ]
    return {
        "test_families": sorted(leaked),
        "near_duplicates_of_test_items": [pair for value, *pair in similarities if value >= THRESHOLD],
        "highest_jaccard_to_a_test_item": round(max((each[0] for each in similarities), default=0.0), 4),
    }


def summary(examples: Sequence[Example], held_out: Sequence[Problem]) -> dict[str, Any]:
    """Return the counts by kind, domain and level, and the overlap with the held-out split."""
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
    """Write chats, table, dataset card and manifest to a new folder; return the manifest."""
    texts = {
        CHAT: format_json_lines({"messages": example.messages()} for example in examples),
        TABLE: format_json_lines(example.row() for example in examples),
    }
    split = {"seed": made.seed, "ratio": list(made.ratio), "train_items": len(made.ids("train"))}
    manifest = write_folder(out, texts, {**figures, "seed": seed, "split": split})
    fields = {
        "examples": figures["examples"],
        "families": figures["seed_families"],
        "seed": seed,
        "nearest": figures["leakage"]["highest_jaccard_to_a_test_item"],
    }
    for by in ("kinds", "domains"):
        fields[by] = "\n".join(f"| {name} | {count} |" for name, count in figures[by].items())
    card = Path(__file__).with_name("card.md").read_text(encoding="utf-8")
    for name, value in fields.items():
        card = card.replace(f"{{{name}}}", str(value))
    (out / "README.md").write_text(card, encoding="utf-8")
    return manifest

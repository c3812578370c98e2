"""The fine-tuning set on disk, as chats and as a table, and whether it holds anything of the test split.

Chats are for OpenAI's interface; the folder is one for Hugging Face `datasets`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ansatz.eval.data.dfa.examples import KINDS, Example
from ansatz.eval.data.duplicates import THRESHOLD, jaccard, tokens
from ansatz.eval.data.set_files import json_lines, write_folder
from ansatz.eval.data.splits import Split
from ansatz.eval.problem import Problem

CHAT, TABLE = "openai/train.jsonl", "data/train.jsonl"


@dataclass(frozen=True)
class Leakage:
    """Families of held-out items that seeded an example, and how like a held-out question any example is.

    `similar` lists example and item of each pair of near-duplicates; `nearest` is the highest Jaccard
    similarity found, 0 without a pair.
    """

    families: tuple[str, ...]
    similar: tuple[tuple[str, str], ...]
    nearest: float


def leakage(examples: Sequence[Example], held_out: Sequence[Problem]) -> Leakage:
    """What the examples share with the items held out."""
    leaked = {example.seed_family for example in examples} & {problem.family for problem in held_out}
    asked = [(problem.id, tokens(problem.question)) for problem in held_out]
    alike = [
        (jaccard(words, other), example.id, id)
        for example in examples
        for words in (tokens(example.question),)
        for id, other in asked
    ]
    similar = tuple((example, item) for likeness, example, item in alike if likeness >= THRESHOLD)
    return Leakage(tuple(sorted(leaked)), similar, max((likeness for likeness, _, _ in alike), default=0.0))


def summary(examples: Sequence[Example], found: Leakage) -> dict[str, Any]:
    """Counts by kind, domain and level, and what was checked against the held-out split."""
    return {
        "examples": len(examples),
        "seed_items": len({example.seed_item for example in examples}),
        "seed_families": len({example.seed_family for example in examples}),
        "pairs_of_formulas": len({(one.gold_equation, one.rejected_equation) for one in examples}),
        "kinds": {kind: sum(example.kind == kind for example in examples) for kind in KINDS},
        "domains": dict(sorted(Counter(example.domain for example in examples).items())),
        "levels": dict(sorted(Counter(example.level for example in examples).items())),
        "leakage": {
            "test_families": list(found.families),
            "near_duplicates_of_test_items": [list(pair) for pair in found.similar],
            "highest_jaccard_to_a_test_item": round(found.nearest, 4),
        },
    }


def write_examples(
    examples: Sequence[Example], made: Split, found: Leakage, seed: int, out: Path
) -> dict[str, Any]:
    """Write chats, table, dataset card and manifest to a folder, which is made; the manifest is returned."""
    texts = {
        CHAT: json_lines({"messages": example.messages()} for example in examples),
        TABLE: json_lines(example.row() for example in examples),
    }
    split = {"seed": made.seed, "ratio": list(made.ratio), "train_items": len(made.ids("train"))}
    manifest = write_folder(out, texts, {**summary(examples, found), "seed": seed, "split": split})
    told = {
        "examples": manifest["examples"],
        "families": manifest["seed_families"],
        "seed": seed,
        "nearest": manifest["leakage"]["highest_jaccard_to_a_test_item"],
        **{
            by: "\n".join(f"| {name} | {count} |" for name, count in manifest[by].items())
            for by in ("kinds", "domains")
        },
    }
    card = Path(__file__).with_name("card.md").read_text(encoding="utf-8")
    for name, value in told.items():
        card = card.replace(f"{{{name}}}", str(value))
    (out / "README.md").write_text(card, encoding="utf-8")
    return manifest

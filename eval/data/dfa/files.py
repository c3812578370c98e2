"""The fine-tuning set on disk: chats for OpenAI's interface, and a folder for Hugging Face `datasets`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ansatz.eval.data.dfa.examples import KINDS, Example
from ansatz.eval.data.dfa.leakage import Leakage
from ansatz.eval.data.gate import file_hash, write_lines
from ansatz.eval.data.splits import Split

CHAT, TABLE = "openai/train.jsonl", "data/train.jsonl"
_CARD = Path(__file__).with_name("card.md")


def write_examples(
    examples: Sequence[Example], made: Split, found: Leakage, seed: int, out: Path
) -> dict[str, Any]:
    """Write chats, table, dataset card and manifest to a folder, which is made; the manifest is returned."""
    for name in (CHAT, TABLE):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
    write_lines(out / CHAT, ({"messages": example.messages()} for example in examples))
    write_lines(out / TABLE, map(row, examples))
    manifest = {
        **summary(examples, found),
        "seed": seed,
        "split": {"seed": made.seed, "ratio": list(made.ratio), "train_items": len(made.ids("train"))},
        "files": {name: file_hash(out / name) for name in (CHAT, TABLE)},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    (out / "README.md").write_text(_card(manifest), encoding="utf-8")
    return manifest


def row(example: Example) -> dict[str, Any]:
    """An example as a row of the table; every row has the same fields of the same types."""
    fields = asdict(example)
    inputs = [{**given, "value": float(given["value"])} for given in fields["inputs"]]
    return {**fields, "inputs": inputs, "answer": float(example.answer), "messages": example.messages()}


def summary(examples: Sequence[Example], found: Leakage) -> dict[str, Any]:
    """Counts by kind, domain and level, and what was checked against the held-out split."""
    return {
        "examples": len(examples),
        "seed_items": len({example.seed_item for example in examples}),
        "seed_families": len({example.seed_family for example in examples}),
        "pairs_of_formulas": len({(one.gold_equation, one.rejected_equation) for one in examples}),
        "kinds": {kind: sum(example.kind == kind for example in examples) for kind in KINDS},
        "domains": _counts(example.domain for example in examples),
        "levels": _counts(example.level for example in examples),
        "leakage": {
            "test_families": list(found.families),
            "near_duplicates_of_test_items": [list(pair) for pair in found.similar],
            "highest_jaccard_to_a_test_item": round(found.nearest, 4),
        },
    }


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _card(manifest: Mapping[str, Any]) -> str:
    kinds = "\n".join(f"| {kind} | {count} |" for kind, count in manifest["kinds"].items())
    domains = "\n".join(f"| {domain} | {count} |" for domain, count in manifest["domains"].items())
    text = _CARD.read_text(encoding="utf-8")
    for name, value in {
        "examples": manifest["examples"],
        "families": manifest["seed_families"],
        "seed": manifest["seed"],
        "nearest": manifest["leakage"]["highest_jaccard_to_a_test_item"],
        "kinds": kinds,
        "domains": domains,
    }.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text

"""Finished items as problem sets in the paper's shape, and what a human should look at in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ansatz.eval.benchmarks.apbench.curate.stages import Item

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def assemble(items: Sequence[Item]) -> dict[str, Any]:
    """Sets by name (that of the source and the example), each a content with its questions in order."""
    sets: dict[str, Any] = {}
    for item in items:
        name = "-".join(item["id"].split(".")[:2])
        one = sets.setdefault(name, {"title": item["title"], "content": item["content"], "questions": []})
        one["questions"].append(
            {name: item[name] for name in ("question", "solution", "answer", "format", "source")}
        )
    return sets


def doubts(items: Sequence[Item], texts: Mapping[str, str]) -> list[dict[str, str]]:
    """Numbers that are not in the source, and answers whose number is not in their solution."""
    found = []
    for item in items:
        stated = _numbers(texts[item["source"]])
        for field in ("content", "question", "solution"):
            if new := [number for number in _NUMBER.findall(item[field]) if _plain(number) not in stated]:
                found.append(
                    {"id": item["id"], "field": field, "doubt": f"not in the source: {', '.join(new)}"}
                )
        wanted = _NUMBER.findall(item["answer"]) if item["format"] == "numeric" else []
        if wanted and _plain(wanted[0]) not in _numbers(item["solution"]):
            found.append({"id": item["id"], "field": "answer", "doubt": f"not in the solution: {wanted[0]}"})
    return found


def _numbers(text: str) -> set[str]:
    return {_plain(number) for number in _NUMBER.findall(text)}


def _plain(number: str) -> str:
    """Without thousands separators, and without zeros that say nothing."""
    digits = number.replace(",", "")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits

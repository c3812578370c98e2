"""The labelled answers: which problem, what text, which single fault, and the marks a reviewer would give.

Hand-written answers lie in `development.yaml` and `held_out.yaml`: a clean text with the least marks it
deserves on G1 to G8 ("-" where nothing is claimed), and faults planted in it by replacing passages. The rest
is rendered by `generated`. Texts of the held-out part were written before the rules that they test were
improved, about templates that the development part does not touch.

The fresh parts, `training` and `blind` are whole answers in other words, written by hands that had not seen
the rules: a clean answer deserves every mark, a terse one those of G1 to G4. The rules were improved on the
fresh parts and on `training`, and the reader of sentences was trained on all of them but the fourth and the
fifth, which are by one hand; `blind` was only counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.agents import Transcript
from ansatz.eval.benchmarks.tps import FOLDER
from ansatz.eval.benchmarks.tps.instance import make_problems
from ansatz.eval.benchmarks.tps.reading import read_template
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.library import library

PARTS = ("development", "held_out")
FRESH = ("fresh", "fresh_second", "fresh_third", "training", "fresh_fourth", "fresh_fifth")
BLIND = "blind"
DIMENSIONS = ("G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8")
FAULTS = {
    "wrong_formula": "G1",
    "invented_formula": "G1",
    "dropped_given": "G2",
    "unit_slip": "G3",
    "arithmetic_slip": "G4",
    "impossible_value": "G5",
    "hidden_assumption": "G6",
    "no_interpretation": "G7",
    "disorder": "G8",
}
CLEAN = "clean"


@dataclass(frozen=True)
class Labelled:
    """An answer with its label. `least` are the marks that the clean text deserves at least, `most` those
    that the fault leaves at most; `source` is "hand", "generated" or "fresh"."""

    template: str
    seed: int
    text: str
    fault: str
    least: Mapping[str, int]
    most: Mapping[str, int]
    style: str
    source: str

    @property
    def problem(self) -> Problem:
        return problem(self.template, self.seed)

    @property
    def transcript(self) -> Transcript:
        return Transcript(
            answer=self.text, stop="answered", messages=(), model_calls=(), tool_calls=(), seconds=0
        )


@cache
def problem(template: str, seed: int) -> Problem:
    """The first problem of a template for a seed."""
    read = read_template(FOLDER / f"{template.replace('.', '/', 1)}.yaml", template)
    return make_problems(read, 1, seed, library())[0]


def hand_written(part: str) -> Iterator[Labelled]:
    """The clean texts of a part and their variants with a fault."""
    file = Path(__file__).with_name(f"{part}.yaml")
    for answer in yaml.safe_load(file.read_text(encoding="utf-8")):
        least = {
            name: int(mark) for name, mark in zip(DIMENSIONS, answer["marks"], strict=True) if mark != "-"
        }
        yield _labelled(answer, answer["text"], CLEAN, least, {})
        for fault in answer["faults"]:
            text = _replaced(answer, fault)
            yield _labelled(answer, text, fault["fault"], least, fault["marks"])


def fresh(part: str) -> Iterator[Labelled]:
    """The answers of a fresh part or the blind one, clean or with one fault each."""
    file = Path(__file__).with_name(f"{part}.yaml")
    for answer in yaml.safe_load(file.read_text(encoding="utf-8")):
        claimed = DIMENSIONS[:4] if answer["terse"] else DIMENSIONS
        fault = answer["fault"] or CLEAN
        most = {FAULTS[fault]: most_points(fault)} if fault != CLEAN else {}
        style = "terse" if answer["terse"] else "full"
        least = dict.fromkeys(claimed, 2)
        seed = answer.get("seed", 0)
        yield Labelled(answer["problem"], seed, answer["text"], fault, least, most, style, "fresh")


def most_points(fault: str) -> int:
    """The marks that a fault leaves on its dimension: none where what the dimension asks for is absent."""
    return 0 if fault in ("impossible_value", "hidden_assumption", "no_interpretation") else 1


def _labelled(
    answer: dict[str, Any], text: str, fault: str, least: dict[str, int], most: dict[str, int]
) -> Labelled:
    return Labelled(answer["problem"], 0, text, fault, least, most, answer["style"], "hand")


def _replaced(answer: dict[str, Any], fault: dict[str, Any]) -> str:
    text = str(answer["text"])
    for old, new in fault["replace"]:
        if old not in text:
            raise ValueError(f"{answer['problem']}, {fault['fault']}: {old!r} is not in the text")
        text = text.replace(old, new)
    return text

"""Fit the rule by which the search of equations refuses a question, and show what it refuses.

    .venv/bin/python benchmarks/abstention.py [--ranker bm25]

The coefficients come from questions for development: every third of the main and the fresh set, the everyday set
and the set in three styles, each also within chatter, against the development half of the outside questions. Both
sides have the same weight, and so has each set of a side. The threshold refuses 5 % (7.5 % by words alone) of the
set in three styles that was not used, half of it within chatter. The table lists the share of answered questions;
`authors` and `held_out` were used for nothing.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from dataclasses import asdict
from functools import partial

import numpy as np
from scipy.optimize import minimize

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import abstention
from ansatz.knowledge_base.search.chinese_query import translate_question
from ansatz.knowledge_base.search.evaluation import FILE
from ansatz.knowledge_base.search.ranking import load_phrase_index, load_word_index

INSIDE = ("questions", "fresh", "everyday", "styles", "styles_blind", "authors")
DEVELOPMENT = ("questions", "fresh", "everyday", "styles")
CALIBRATION, REFUSED = "styles_blind", {"regime": 0.05, "bm25": 0.075}  # words alone separate less
STEP = {"questions": 3, "fresh": 3}  # for development
CHATTER = """\
Hi all, hope somebody can help me before Friday.
My boss dropped this on my desk and left for vacation.
I have been staring at this spreadsheet since lunch.
Sorry if this is a silly question, I am new here.
We argued about it over coffee and nobody could agree.
The customer keeps calling and I need an answer today.
Long story short, our old notes burned with the shed.
My professor mentioned it in passing and I forgot to write it down.
Thanks a lot, and please keep it simple.
I found an old report in the basement but the pages are glued together.
Our intern tried it last week and gave up.
This is for a bet with my brother in law.
I would look it up but the library is closed on Sundays.
Bear with me, English is not my first language.
The supplier's brochure is useless as usual.
Cheers from rainy Bremen.
We have a review meeting tomorrow morning and the slides are empty.
My daughter asked me at breakfast and I had no idea.
It is a hobby project in the garage, nothing fancy.
Any hint is welcome, even a rough one.
""".splitlines()


def read_sets() -> dict[tuple[str, str], list[str]]:
    """Return the questions by set and kind: plain, in chatter, or outside."""
    draw, sets = random.Random(3), defaultdict(list)
    for name in INSIDE:
        file = FILE if name == "questions" else FILE.with_name(f"{name}_questions.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)["question"]
            sets[name, "plain"].append(question)
            sets[name, "chatter"].append(" ".join([draw.choice(CHATTER), question, draw.choice(CHATTER)]))
    for line in FILE.with_name("outside_questions.jsonl").read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        sets[f"{fields['kind']} {fields['half']}", "outside"].append(fields["question"])
    return sets


def main(ranker: str) -> None:
    base = library()
    meaning = None if ranker == "bm25" else load_phrase_index(base, "default")
    names = list((abstention.BY_WORDS if meaning is None else abstention.WITH_MEANING)[1])
    measure = partial(abstention.measure_fit, library=base, words=load_word_index(base), meaning=meaning)
    measured = {
        key: np.array([[asdict(measure(translate_question(text)))[name] for name in names] for text in texts])
        for key, texts in read_sets().items()
    }
    inside = [
        np.concatenate([measured[name, kind][:: STEP.get(name, 1)] for kind in ("plain", "chatter")])
        for name in DEVELOPMENT
    ]
    outside = [rows for (name, _), rows in measured.items() if name.endswith("development")]
    rows = np.concatenate(inside + outside)
    is_inside = np.arange(len(rows)) < sum(map(len, inside))
    weights = len(rows) * np.concatenate(
        [np.full(len(each), 0.5 / len(side) / len(each)) for side in (inside, outside) for each in side]
    )
    spread = rows.std(axis=0)

    def loss(values: np.ndarray) -> float:
        odds = rows / spread @ values[1:] + values[0]
        return float(
            weights @ np.logaddexp(0, np.where(is_inside, -odds, odds)) + 0.5 * values[1:] @ values[1:]
        )

    found = minimize(loss, np.zeros(len(names) + 1)).x
    factors = found[1:] / spread
    odds = {key: rows @ factors + found[0] for key, rows in measured.items()}
    calibration = np.concatenate([odds[CALIBRATION, kind] for kind in ("plain", "chatter")])
    least = np.quantile(calibration, REFUSED[ranker])
    print(
        f"constant {found[0] - least:.2f}",
        {name: round(float(factor), 2) for name, factor in zip(names, factors, strict=True)},
    )
    for (name, kind), values in odds.items():
        print(f"| {name} | {kind} | {len(values)} | {(values >= least).mean():.3f} |")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--ranker", choices=["regime", "bm25"], default="regime")
    main(options.parse_args().ranker)

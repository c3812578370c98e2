"""A small fixed TPS run: 24 items of 12 families, two models, a 2^2 factorial and a placebo, two reviewers.

Model "steady" answers all; "silent" leaves every third item without a readable answer, so that it is not
ranked. One attempt has failed. Marks, answers and errors follow from the item's number and the arm.
"""

from __future__ import annotations

from collections.abc import Iterable

from ansatz.eval import Problem
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import NumberTarget
from ansatz.eval.verifier import kpi
from tests.experiments.rows import Rows, tried

ITEMS = 24
ARMS = {
    "zero-shot": frozenset(),
    "sheet": frozenset({"retrieval"}),
    "steps": frozenset({"protocol"}),
    "both": frozenset({"protocol", "retrieval"}),
    "placebo": frozenset({"placebo"}),
}
MARKED = (*kpi.WEIGHTS, "kpi", "kpi_published")
DIMENSIONS = (
    *MARKED,
    *(f"judge.{name}" for name in MARKED),
    "error.formula",
    "error.hallucination",
    "tokens",
)


def items(noisy: bool) -> Iterable[Problem]:
    """The sound items; with `noisy`, a damaged copy of every other one as well."""
    for number in range(ITEMS):
        tags = {"level": f"L{number % 4 + 1}", "domain": ("heating", "shock")[number // 12]}
        original = {"clean_id": f"item-{number}"}
        yield item(number, "", {**tags, "corruption": "none", **original} if noisy else tags)
        if noisy and number % 2:
            yield item(number, "-noisy", {**tags, "corruption": "unit_loss", **original})


def item(number, ending, tags):
    return Problem(
        id=f"item-{number}{ending}",
        family=f"family-{number // 2}",
        benchmark="tps_noisy" if "corruption" in tags else "tps",
        question="Find q and T.",
        targets=(
            NumberTarget(name="q", unit="W/m^2", weight=0.75, value=1000.0 + number),
            NumberTarget(name="T", unit="K", weight=0.25, value=300.0 + number),
        ),
        tags=tags,
    )


def answer_of(number, model, right):
    """By number: exact where right or 4 divides it, else 5 %, 30 % or 80 % off; T has an unknown unit at 5."""
    if model == "silent" and number % 3 == 0:
        return "I cannot tell."
    off = 0.0 if right or number % 4 == 0 else (0.05, 0.3, 0.8)[number % 3]
    unit = "zorks" if number % 5 == 0 else "K"
    return f"q = {(1000 + number) * (1 + off):.6g} W/m^2\nT = {(300 + number) * (1 + off):.6g} {unit}"


def marks(number, on=frozenset(), noisy=False):
    """Marks by dimension, those of the judge half a point kinder on G6, which fails on one item of six."""
    right, told = "retrieval" in on and not noisy, "protocol" in on
    verifier = {"G1": 1.0 if right else (number % 3) / 2, "G2": 0.5 if noisy else 1.0, "G3": 1.0}
    verifier["G4"] = 1.0 if number % 3 else 0.5
    verifier |= {"G5": 0.5, "G6": 0.5 if told else 0.0, "G7": 1.0 if told else 0.0, "G8": 1.0}
    judged = {**verifier, "G6": min(1.0, verifier["G6"] + 0.5)}
    if number % 6 == 5:
        judged = dict.fromkeys(judged)
    if number % 6 == 4:
        verifier["G4"] = None
    wrong = verifier["G1"] == 0
    errors = {
        "formula": float(wrong),
        "hallucination": None if number % 8 == 7 else float(wrong and number % 2 == 0),
    }
    return {
        **summed(verifier),
        **{f"judge.{name}": value for name, value in summed(judged).items()},
        **{f"error.{name}": value for name, value in errors.items()},
    }


def summed(marks):
    known = {name: value for name, value in marks.items() if value is not None}
    return {**marks, "kpi": kpi.compute_kpi(known, None), "kpi_published": kpi.compute_published_kpi(known)}


def attempt(problem, model, arm, repeat):
    if (model, arm, problem.id) == ("steady", "both", "item-7"):
        return None
    number, on, noisy = int(problem.id.split("-")[1]), ARMS[arm], problem.id.endswith("noisy")
    values = {**marks(number, on, noisy), "tokens": 100.0 + 50 * len(on) + number}
    values["output_tokens"] = values["tokens"]
    details = {name: ("cannot tell", {}) for name, value in values.items() if value is None}
    if number % 6 != 5:
        tags = ("formula", "hallucination")[: 2 - number % 3]
        details["judge.kpi"] = ("", {"judges": {"j": {"errors": tags}}})
    right = "retrieval" in on and not noisy
    return {"answer": answer_of(number, model, right), "values": values, "details": details}


def tps_run(noisy: bool = False, models: tuple[str, ...] = ("steady", "silent"), labels: tuple = ()) -> Rows:
    return tried(
        items(noisy),
        attempt,
        models=models,
        arms=ARMS,
        title="small tps",
        dimensions=DIMENSIONS,
        switches=ARMS,
        scorers=(Outcome(),),
        labels=labels,
    )

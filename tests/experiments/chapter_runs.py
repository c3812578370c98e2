"""Small fixed runs on each benchmark whose marks, answers and errors follow from simple rules."""

from __future__ import annotations

from collections.abc import Iterable

from ansatz.eval import Problem
from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.rules import published, strict
from ansatz.eval.benchmarks.apbench.scoring import APBenchScore
from ansatz.eval.benchmarks.physbench.physbench_template import COGNITIVE, KNOWLEDGE, TOPICS
from ansatz.eval.benchmarks.physbench.prefs_rubric import CRITERIA, criteria_of, dimensions_of
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget, Tolerance
from ansatz.eval.verifier import kpi
from tests.eval.prefs_cases import BRAKING, CHOICE
from tests.experiments.rows import Rows, tried


def number_of(problem: Problem) -> int:
    return int(problem.id.removesuffix("-noisy").rpartition("-")[2])


# ThermoQA: 24 questions of 12 families over three tiers, two models, three arms, three repeats. The first
# question has failed in the second model's tools arm, in its last run.

UNITS = {"h": "kJ/kg", "s": "kJ/(kg*K)", "v": "m^3/kg", "w": "kJ/kg", "q": "kJ/kg", "x": "kJ/kg", "e": "-"}
WEIGHTS = {"h": 1.0, "s": 1.0, "v": 1.0, "w": 3.0, "q": 3.0, "x": 2.0, "e": 5.0}


def lookup(number):
    return {"h": 2800.0 + 10 * number, "s": 6.5 + 0.01 * number, "v": 0.2 + 0.01 * number}


def turbine(number):
    states = {"h1": 3300.0 + 10 * number, "s1": 6.7, "h2s": 2300.0, "h2": 2400.0 + number, "s2": 7.0}
    return states | {"w_out": states["h1"] - states["h2"], "s_gen": 0.3, "x_dest": 298.15 * 0.3}


def rankine(number):
    value = {"h1": 192.0, "h2": 200.0, "h3": 3400.0 + 10 * number, "h4": 2300.0 + 5 * number}
    value |= {"w_pump": 8.0, "q_in": value["h3"] - 200.0, "w_turb": value["h3"] - value["h4"]}
    value["w_net"] = value["w_turb"] - 8.0
    return value | {"eta_th": value["w_net"] / value["q_in"]}


TIERS = {
    "1": (lookup, ("wet_steam", "supercritical"), ("given_P_x", "multi_property"), {}),
    "2": (turbine, ("turbine", "turbine"), ("A", "C"), {"fluid": "Water"}),
    "3": (rankine, ("RNK-I", "RNK-I"), ("A", "B"), {"fluid": "Water"}),
}


def thermoqa_questions() -> Iterable[Problem]:
    for tier, (make, kinds, depths, more) in TIERS.items():
        for number in range(8):
            at = number % 2
            tags = {
                "tier": tier,
                "difficulty": "easy",
                "category": kinds[at],
                "subcategory": depths[at],
                **more,
            }
            yield Problem(
                id=f"T{tier}-{number}",
                family=f"T{tier}-family-{number // 2}",
                benchmark="thermoqa",
                question="Report the values.",
                targets=tuple(thermoqa_target(*each, tier) for each in make(number).items()),
                tags=tags,
            )


def thermoqa_target(name, value, tier):
    tolerance = Tolerance(relative=0.02, absolute=0.02 if name.startswith("e") else 0.5)
    weight = 1.0 if tier == "1" else WEIGHTS[name[0]]
    return NumberTarget(name=name, unit=UNITS[name[0]], weight=weight, value=value, tolerance=tolerance)


def thermoqa_attempt(problem, model, arm, repeat):
    """Wrong states without tools, wrong works without the protocol, and a gap where a model is shaky."""
    if (problem.id, model, arm, repeat) == ("T1-0", "shaky", "tools", 2):
        return None
    number, value = number_of(problem), {each.name: each.value for each in problem.targets}
    if arm == "text_only" and (number + repeat) % 3:
        value |= {name: 1.05 * each for name, each in value.items() if name[0] in "hsv"}
        if "w_out" in value:  # the work still follows from its states
            value["w_out"] = value["h1"] - value["h2"]
    if arm != "protocol" and number % 4 == 0 and problem.tags["tier"] == "3":
        value["q_in"] *= 0.9
    if model == "shaky" and (number * 5 + repeat * 3) % 4 == 0:
        value.popitem()
    answer = "\n".join(f"{name} = {each:.6g}" for name, each in value.items())
    output = 10 * len(answer) + 7 * repeat
    return {"answer": answer, "values": {"tokens": output + 300.0, "output_tokens": output}}


def thermoqa_run() -> Rows:
    return tried(
        thermoqa_questions(),
        thermoqa_attempt,
        models=("steady", "shaky"),
        arms=("text_only", "tools", "protocol"),
        repeats=3,
        title="small thermoqa",
        dimensions=("tokens",),
        resamples=300,
        scorers=(ThermoQAScore(),),
    )


# TPS: 24 items of 12 families, two models, a 2^2 factorial and a placebo, two reviewers. Model "steady" answers
# all; "silent" leaves every third item without a readable answer, so that it is not ranked. One attempt failed.

ITEMS = 24
TPS_ARMS = {
    "zero-shot": frozenset(),
    "sheet": frozenset({"retrieval"}),
    "steps": frozenset({"protocol"}),
    "both": frozenset({"protocol", "retrieval"}),
    "placebo": frozenset({"placebo"}),
}
MARKED = (*kpi.WEIGHTS, "kpi", "kpi_published")
TPS_DIMENSIONS = (
    *MARKED,
    *(f"judge.{name}" for name in MARKED),
    "error.formula",
    "error.hallucination",
    "tokens",
)


def tps_items(noisy: bool) -> Iterable[Problem]:
    """The sound items; with `noisy`, a damaged copy of every other one as well."""
    for number in range(ITEMS):
        tags = {"level": f"L{number % 4 + 1}", "domain": ("heating", "shock")[number // 12]}
        original = {"clean_id": f"item-{number}"}
        yield tps_item(number, "", {**tags, "corruption": "none", **original} if noisy else tags)
        if noisy and number % 2:
            yield tps_item(number, "-noisy", {**tags, "corruption": "unit_loss", **original})


def tps_item(number, ending, tags):
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


def tps_answer(number, model, right):
    """By number: exact where right or 4 divides it, else 5 %, 30 % or 80 % off; T has an unknown unit at 5."""
    if model == "silent" and number % 3 == 0:
        return "I cannot tell."
    off = 0.0 if right or number % 4 == 0 else (0.05, 0.3, 0.8)[number % 3]
    unit = "zorks" if number % 5 == 0 else "K"
    return f"q = {(1000 + number) * (1 + off):.6g} W/m^2\nT = {(300 + number) * (1 + off):.6g} {unit}"


def tps_marks(number, on=frozenset(), noisy=False):
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
    return {**marks, "kpi": kpi.kpi(known, None), "kpi_published": kpi.published(known)}


def tps_attempt(problem, model, arm, repeat):
    if (model, arm, problem.id) == ("steady", "both", "item-7"):
        return None
    number, on, noisy = number_of(problem), TPS_ARMS[arm], problem.id.endswith("noisy")
    values = {**tps_marks(number, on, noisy), "tokens": 100.0 + 50 * len(on) + number}
    values["output_tokens"] = values["tokens"]
    details = {name: ("cannot tell", {}) for name, value in values.items() if value is None}
    if number % 6 != 5:
        tags = ("formula", "hallucination")[: 2 - number % 3]
        details["judge.kpi"] = ("", {"judges": {"j": {"errors": tags}}})
    right = "retrieval" in on and not noisy
    return {"answer": tps_answer(number, model, right), "values": values, "details": details}


def tps_run(noisy: bool = False, models: tuple[str, ...] = ("steady", "silent"), labels: tuple = ()) -> Rows:
    return tried(
        tps_items(noisy),
        tps_attempt,
        models=models,
        arms=TPS_ARMS,
        title="small tps",
        dimensions=TPS_DIMENSIONS,
        switches=TPS_ARMS,
        scorers=(Outcome(),),
        labels=labels,
    )


# PhysBench: 24 questions of 8 families, two models, four arms, marked by a judge.

PHYSBENCH_ARMS = {
    "baseline": frozenset(),
    "answer_template": frozenset({"answer_template"}),
    "own": frozenset({"formulation(source=self)"}),
    "given": frozenset({"formulation(source=reference)"}),
}


def physbench_questions() -> Iterable[Problem]:
    for number in range(24):
        base = CHOICE if number % 4 == 3 else BRAKING
        tags = {
            "topic": TOPICS[number % 7],
            "cognitive": COGNITIVE[number % 6],
            "knowledge": KNOWLEDGE[number % 3],
        }
        update = {"id": f"question-{number}", "family": f"family-{number % 8}", "tags": base.tags | tags}
        yield base.model_copy(update=update)


def physbench_marks(problem, model, arm):
    """Full marks but for: modelling without a formulation, arithmetic of every third, finals of the shaky."""
    number, lost = number_of(problem), set()
    if arm in ("baseline", "answer_template") and number % 3 != 1:
        lost |= {"modeling", "setup"}
    if number % 3 == 0:
        lost |= {"calculation", "correctness", *(["final"] if arm != "given" else [])}
    if model == "shaky" and number % 2:
        lost |= {"final", "relevance", "concept"}
    return {each.name: float(each.name not in lost) for each in criteria_of(problem)}


def physbench_attempt(problem, model, arm, repeat):
    given, rubric = physbench_marks(problem, model, arm), criteria_of(problem)
    found = {**dict.fromkeys(CRITERIA), **given}
    points = {each: each.points for each in rubric}
    found["score"] = sum(each.points * given[each.name] for each in rubric) / sum(points.values())
    found |= {"final_correct": given["final"], "fully_correct": float(all(given.values()))}
    found["template"] = float(arm == "answer_template" or number_of(problem) % 5 == 0)
    values = {f"prefs.{name}": value for name, value in found.items()}
    values |= {f"error.prefs.{each.error}": 1.0 - given[each.name] for each in rubric if each.error}
    return {"values": values}


def physbench_run() -> Rows:
    dimensions, arms = dimensions_of("prefs."), PHYSBENCH_ARMS
    fields = {"title": "physbench", "dimensions": dimensions, "switches": arms}
    return tried(physbench_questions(), physbench_attempt, models=("steady", "shaky"), arms=arms, **fields)


# APBench: the sets on two bodies, asked independently and progressively.

APBENCH_ARMS = {
    "plain": frozenset(),
    "shown": frozenset({"progressive"}),
    "other": frozenset({"progressive", "calculator"}),
}


class NumbersAlone(APBenchScore):
    """The scorer without its embedding, which a test of the chapter need not wait for."""

    async def score(self, context):
        return () if isinstance(context.problem.targets[0], MessageTarget) else await super().score(context)


def apbench_attempt(problem, model, arm, repeat):
    """First questions right; later ones 8 % off unless the arm is shown earlier answers; sets ending in y fail."""
    if (arm, problem.id) == ("other", "escape-0-q2"):
        return None
    if isinstance(problem.targets[0], MessageTarget):
        likeness = 0.5 if arm == "plain" else 0.7
        return {"values": {"published": float(likeness > 0.6), "message": likeness, "cosine": 0.6}}
    off = 1.0 if problem.tags["position"] == "1" or arm != "plain" else 1.08
    off = -1.0 if problem.family.endswith("y") else off
    answer = "\n".join(apbench_statement(target, off) for target in problem.targets)
    rules = {"published": published(problem, answer), "strict": strict(problem, answer)}
    values = {name: float(all(each.right for each in judged)) for name, judged in rules.items()}
    return {"answer": answer, "values": values}


def apbench_statement(target, off):
    if isinstance(target, ChoiceTarget):
        return f"Answer: {target.value}"
    return f"{target.name} = {target.value * off!r} {'' if target.unit == '-' else target.unit}"


def apbench_run() -> Rows:
    dimensions, arms = ("published", "strict", "message", "cosine"), APBENCH_ARMS
    fields = {
        "title": "small apbench",
        "dimensions": dimensions,
        "switches": arms,
        "scorers": (NumbersAlone(),),
    }
    return tried(load(topics=["two_body"]), apbench_attempt, arms=arms, **fields)

"""Measure the sets `hard` and `refusable`, and probes: `python benchmarks/headroom.py [--seed N]`.

- A naive solver that follows a trap of each problem: the share of values within 1 %.
- Keys of the set by second methods (tests/eval/benchmarks/hard/second_methods).
- 200 variants of a fresh seed: keys by second methods, from numbers and units that are read out of the text by a
  reader that shares no code with Ansatz; and the share of right answers in the requested form that are read as exact.
- Answerers that always refuse, and one that never does.
- The check of paraphrases: the share of harmless texts that it accepts, and of falsified ones that it refuses.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parent.parent))

from ansatz.eval.benchmarks import hard, tps
from ansatz.eval.benchmarks.hard import refusable
from ansatz.eval.outcome import judge_answer
from ansatz.eval.probes import KINDS, add_probes
from ansatz.eval.probes.paraphrasing import PARAPHRASED, find_difference, is_draft, make_task
from ansatz.eval.probes.statements import find_statements
from ansatz.eval.problem import NumberTarget
from tests.eval.benchmarks.hard.second_methods import FACTORS, METHODS

AGREEMENT = 2e-3
MORE_FACTORS = {
    **{
        "ft": 0.3048,
        "in": 0.0254,
        "mi": 1609.344,
        "lb": 0.45359237,
        "ms": 1e-3,
        "km/h": 1 / 3.6,
        "ft/s": 0.3048,
    },
    **{"rad": 1.0, "psi": 6894.757293168, "bar": 1e5, "lbf": 4.4482216152605, "kN": 1e3, "J": 1.0, "kJ": 1e3},
    **{"hp": 745.69987158227, "g/cm^3": 1e3, "lb/ft^3": 16.018463374, "W/cm^2": 1e4, "kJ/m^2": 1e3},
    **{
        "Btu/lb": 2326.0,
        "kW/(m*K)": 1e3,
        "kW/(m^2*K)": 1e3,
        "lb/s": 0.45359237,
        "g/s": 1e-3,
        "ft^2": 0.09290304,
    },
    **{
        "in^2": 6.4516e-4,
        "ft^3": 0.028316846592,
        "Pa*s": 1.0,
        "kJ/kg": 1e3,
        "mV": 1e-3,
        "oz": 0.028349523125,
    },
}


def to_si(value: float, unit: str) -> float:
    """Convert with the tables of this file and of the tests, without the unit library."""
    if unit == "degC":
        return value + 273.15
    if unit == "degF":
        return (value + 459.67) / 1.8
    return value * {**FACTORS, **MORE_FACTORS}[unit]


def read_givens(text: str, givens) -> dict[str, float]:
    """Read each given `symbol = number unit` of a text; one that is stated in other words is taken as it is."""
    known = sorted({*FACTORS, *MORE_FACTORS, "degC", "degF"} - {"-"}, key=len, reverse=True)
    found = {}
    for given in givens:
        match = re.search(rf"(?<![\w^]){given.name} = ([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)", text)
        if match is None:
            found[given.name] = to_si(given.value, given.unit)
            continue
        rest = text[match.end() :].lstrip()
        patterns = ((unit, re.escape(unit).replace(r"\*", "[* ]") + r"(?![\w^*/])") for unit in known)
        unit = next((unit for unit, pattern in patterns if re.match(pattern, rest)), "-")
        is_in_words = unit == "-" and given.unit != "-"
        found[given.name] = to_si(given.value, given.unit) if is_in_words else to_si(float(match[1]), unit)
    return found


def check_variant(variant, original) -> bool:
    """Recompute the key of a variant from its text; its symbols are those of the original in the same order."""
    stated = variant.givens[: len(original.givens)]
    values = read_givens(f"{variant.context}\n{variant.question}", stated)
    names = {new.name: old.name for new, old in zip(stated, original.givens, strict=True)}
    found = METHODS[variant.family](**{names[name]: value for name, value in values.items()})
    pairs = zip(variant.targets, original.targets, strict=True)
    return all(abs(found[old.name] / to_si(new.value, new.unit) - 1) <= AGREEMENT for new, old in pairs)


def is_read(problem) -> bool:
    """Whether the right answer in the requested form, with six digits, is read as exact."""
    lines = [f"{each.name} = {each.value:.6g} {each.unit}".removesuffix(" -") for each in problem.targets]
    return all(verdict.exact for verdict in judge_answer(problem, "\n".join(lines)))


def follow_trap(problem, trap) -> float:
    """Return the share of values within 1 % of an answerer that follows the trap."""
    lines = [
        f"{each.name} = {trap.values[each.name]:.6g} {each.unit}".removesuffix(" -")
        for each in problem.targets
    ]
    credits = [
        (each.weight, v.exact)
        for each, v in zip(problem.targets, judge_answer(problem, "\n".join(lines)), strict=True)
    ]
    return sum(w * c for w, c in credits) / sum(w for w, _ in credits)


def measure_traps(problems) -> None:
    first = mean(follow_trap(each, each.reference.traps[0]) for each in problems)
    worst = mean(max(follow_trap(each, trap) for trap in each.reference.traps) for each in problems)
    print(f"naive solver, first trap of each problem: {100 * first:.1f} % of values within 1 %")
    print(f"naive solver, luckiest trap of each problem: {100 * worst:.1f} %")


def measure_variants(seed: int, count: int) -> None:
    originals = hard.load(instances=1, seed=seed)
    kinds = [kind for kind in KINDS if kind != PARAPHRASED]
    made = add_probes(originals, kinds, seed, lambda other: hard.load(instances=1, seed=other)).problems
    by_id = {each.id: each for each in made}
    variants = [each for each in made if each.tags["probe"] != "original"][:count]
    wrong, unread, kinds = [], [], Counter(each.tags["probe"] for each in variants)
    for variant in variants:
        if not check_variant(variant, by_id[variant.tags["original_id"]]):
            wrong.append(variant.id)
        if not is_read(variant):
            unread.append(variant.id)
    print(f"{len(variants)} variants of seed {seed} {dict(kinds)}: {len(wrong)} wrong keys {wrong}")
    print(f"read back as exact: {100 * (1 - len(unread) / len(variants)):.1f} % {unread}")


def falsify(task, rng) -> dict[str, str]:
    """Return texts that ask something else, by what was changed. The text is reworded first."""
    text = f"Consider this. {task.question}"
    stated = find_statements(task)
    first, second = rng.sample(stated, 2)
    written = [re.search(each.pattern, text)[0] for each in (first, second)]
    other = f"{first.given.name} = {float(first.number) * 1.01 or 1:.6g} {first.unit}".strip()
    return {
        "value": text.replace(written[0], other),
        "unit": text.replace(
            written[0], f"{first.given.name} = {first.number} {'kg' if first.unit != 'kg' else 'K'}"
        ),
        "missing": text.replace(written[0], first.given.name),
        "exchanged": re.sub(
            "|".join(map(re.escape, written)),
            lambda found: {
                written[0]: f"{first.given.name} = {second.number} {second.unit}".strip(),
                written[1]: f"{second.given.name} = {first.number} {first.unit}".strip(),
            }[found[0]],
            text,
        ),
        "added": f"{text} The room is 7 m wide.",
        "symbol": text.replace(first.given.name, "zz_1"),
    }


def measure_paraphrases(seed: int) -> None:
    rng = random.Random(seed)
    originals = (*hard.load(instances=1, seed=seed), *tps.load(instances=1, seed=seed))
    drafts = [each for each in add_probes(originals, [PARAPHRASED]).problems if is_draft(each)]
    tasks = [task for task in map(make_task, drafts) if len(find_statements(task)) > 1]
    harmless = [not find_difference(task, f"Consider this. {task.question}") for task in tasks]
    print(f"{len(tasks)} harmless paraphrases: {100 * mean(harmless):.1f} % accepted")
    refused: dict[str, list[bool]] = {}
    for task in tasks:
        for change, text in falsify(task, rng).items():
            refused.setdefault(change, []).append(bool(find_difference(task, text)))
    shares = ", ".join(f"{change} {100 * mean(found):.1f} %" for change, found in refused.items())
    print(f"falsified paraphrases that are refused: {shares}")


def measure_refusals(seed: int) -> None:
    problems = refusable.load(seed=seed)

    def score(problem, answer: str) -> float:
        verdicts = judge_answer(problem, answer)
        weights = [each.weight for each in problem.targets]
        return sum(w * v.credit for w, v in zip(weights, verdicts, strict=True)) / sum(weights)

    def numbers(problem) -> list[str]:
        return [
            f"{each.name} = {each.value} {each.unit}"
            for each in problem.targets
            if isinstance(each, NumberTarget)
        ]

    for fault in refusable.FAULTS:
        always = mean(score(each, f"fault = {fault}\nquantity = T") for each in problems)
        print(f"always refuses as {fault}: {100 * always:.1f}")
    twins = {each.id: each for each in problems}
    sound = [twins[each.tags["twin_id"]] if each.tags["fault"] != "none" else each for each in problems]
    never = mean(
        score(each, "\n".join(["fault = none", "quantity = none", *numbers(twin)]))
        for each, twin in zip(problems, sound, strict=True)
    )
    print(f"never refuses, all numbers right: {100 * never:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=20_261)
    parser.add_argument("--variants", type=int, default=200)
    arguments = parser.parse_args()
    measure_traps(hard.load())
    measure_refusals(arguments.seed)
    measure_paraphrases(arguments.seed)
    measure_variants(arguments.seed, arguments.variants)


if __name__ == "__main__":
    main()

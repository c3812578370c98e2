"""What the invariance check computes: numbers, units, symbols, formulas, options and keys; nothing else."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants import REGIONS, pack, vary
from ansatz.eval.benchmarks.physbench.variants.invariance import Change, check
from ansatz.eval.benchmarks.physbench.variants.numbers import numbers
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget, Problem
from ansatz.quantities.markup import plain
from ansatz.quantities.scales import scale

RETELLINGS = Path(__file__).parent / "variants" / "retellings.jsonl"
COMPUTED = {
    "number_changed",
    "digits_swapped",
    "numbers_exchanged",
    "unit_changed",
    "exponent_or_sign_changed",
    "given_left_out",
    "option_or_format_changed",
}
FALL = (
    "Leila throws a ball horizontally at v_0 = 12.2 m/s from a cliff, h = 44 m above level ground. Air resistance"
    " is negligible and g = 9.8 m/s^2. Find the time of fall t_f."
)


def test_of_retellings_by_another_hand_no_faithful_one_is_rejected_and_every_computed_change_is_caught() -> (
    None
):
    seen, all_ = Counter[str](), Counter[str]()
    for line in RETELLINGS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = row["corruption"] or "faithful"
        all_[kind] += 1
        seen[kind] += bool(check_texts(row["original"], row["variant"]))
    assert all_["faithful"] == 70 and seen["faithful"] == 0
    assert all_.keys() > COMPUTED and all(seen[kind] == all_[kind] == 5 for kind in COMPUTED)


def check_texts(original: str, variant: str) -> tuple[Change, ...]:
    """The same of two questions as they are read."""
    asked = Problem(
        id="q",
        family="q",
        benchmark="b",
        question=original,
        targets=(LabelTarget(name="t", weight=1, value="y"),),
    )
    return check(asked, asked.model_copy(update={"question": variant}))


UNITS = {"m": "cm", "s": "ms", "kg": "g", "N": "kN", "J": "kJ", "W": "mW", "V": "kV", "A": "mA"}
EDITS = {
    "another digit": (r"(?<= = )[1-9]", lambda found: str(int(found[0]) % 9 + 1)),
    "digits swapped": (r"(?<= = )([1-9])((?!\1)[1-9])", lambda found: found[2] + found[1]),
    "another unit": (rf"(?<=\d )({'|'.join(UNITS)})\b(?![/^*])", lambda found: UNITS[found[0]]),
    "another exponent": (r"(?<=\w)\^(\d)", lambda found: f"^{int(found[1]) + 1}"),
    "given left out": (r"\b[A-Za-z]\w* = -?\d[\d.e-]*(?: [A-Za-z][\w/^*()-]*)?", lambda _: ""),
}
"""Corruptions by a pattern and what stands in its place; they know nothing of the check."""


def test_variants_of_the_packs_are_faithful_and_what_a_rule_spoils_in_them_is_caught() -> None:
    rng = random.Random(20)
    planted = Counter[str]()
    for place, problem in enumerate(physbench.load(seed=20)):
        variant = vary(problem, pack(REGIONS[place % len(REGIONS)]), seed=20).problem
        if variant is None:
            continue
        assert check(problem, variant) == (), problem.id
        for kind in sorted(EDITS, key=lambda each: (planted[each], each)):
            pattern, put = EDITS[kind]
            if places := list(re.finditer(pattern, variant.question)):
                found = rng.choice(places)
                spoiled = variant.question[: found.start()] + put(found) + variant.question[found.end() :]
                assert check(problem, variant.model_copy(update={"question": spoiled})), (kind, spoiled)
                planted[kind] += 1
                break
    assert planted.total() >= 200 and min(planted.values()) >= 10


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("44 m", "47 m", "number: h = 44 m is missing"),
        ("h = 44 m", "h = 44 cm", "symbol: h was h = 44 m and is h = 44 cm"),
        (" and g = 9.8 m/s^2", "", "number: g = 9.8 m/s^2 is missing"),
        ("t_f", "t_r", "symbol: t_f became t_r"),
    ],
)
def test_the_reason_names_the_change(old: str, new: str, said: str) -> None:
    assert said in map(str, check_texts(FALL, FALL.replace(old, new)))


def test_the_form_of_the_answer_and_formulas_must_stay() -> None:
    asked = "It falls as s = a*t^2/2. Find r.\n\nReport your answer as:\nr = ___"
    assert not check_texts(asked, asked.replace("It falls", "Down it comes"))
    assert check_texts(asked, f"{asked} J")
    assert check_texts(asked, asked.replace("t^2/2", "t^3/2"))


@pytest.mark.parametrize(
    ("original", "told"),
    [
        ("It flies at 5 m/s.", "Five metres per second is its speed."),
        ("The path is 1.2×10^3 m long.", "It follows a way of 1.2e3 m."),
        ("Three signals have f_1 = 2 Hz and f_2 = 3 Hz.", "f_1 = 2 Hz, f_2 = 3 Hz."),
        ("It takes 27.3 days for one revolution.", "A revolution takes it 27.3 days."),
        ("A coil has N = 200 turns.", "N = 200 is its number of turns."),
    ],
)
def test_other_words_for_the_same_are_no_change(original: str, told: str) -> None:
    assert check_texts(original, told) == ()


@pytest.mark.parametrize(
    ("written", "value", "dimension"),
    [
        ("7 m s^-1", 7.0, "m / s"),
        ("seven square centimetres", 7e-4, "m ** 2"),
        ("7 metres per second squared", 7.0, "m / s ** 2"),
        ("7 degrees Celsius", 280.15, "K"),
        ("a hundred and twenty newtons", 120.0, "kg * m / s ** 2"),
        ("70 1/min", 70 / 60, "1 / s"),
        (r"$2.0 \times 10^{-3}\,\mathrm{kg}$", 2e-3, "kg"),
        ("7 as a rule", 7.0, ""),
    ],
)
def test_numbers_are_read_with_their_units(written: str, value: float, dimension: str) -> None:
    [found] = numbers(plain(f"It has {written} there."))
    known = scale(dimension) if dimension else None
    assert found.key == (pytest.approx(value, rel=1e-8), known.dimension if known else ())


def test_what_only_a_reader_sees_is_left_to_the_second_opinion() -> None:
    assert check_texts(FALL, FALL.replace("horizontally", "upwards")) == ()
    assert check_texts(FALL, FALL.replace("is negligible", "is not negligible")) == ()


def _choice() -> tuple[Problem, ChoiceTarget]:
    problem = next(each for each in physbench.load() if each.tags["format"] == "multiple_choice")
    target = problem.targets[0]
    assert isinstance(target, ChoiceTarget)
    return problem, target


def _with_target(problem: Problem, **changes: object) -> Problem:
    return problem.model_copy(update={"targets": (problem.targets[0].model_copy(update=changes),)})


def test_the_same_key_with_options_in_another_order_is_a_change() -> None:
    problem, target = _choice()
    letters = list(target.options)
    turned = dict(zip(letters, [*list(target.options.values())[1:], target.options[letters[0]]], strict=True))
    assert {change.kind for change in check(problem, _with_target(problem, options=turned))} == {"options"}


def test_the_key_must_stay() -> None:
    problem, target = _choice()
    other = next(letter for letter in target.options if letter != target.value)
    assert any(change.kind == "answer" for change in check(problem, _with_target(problem, value=other)))
    numeric = next(each for each in physbench.load() if isinstance(each.targets[0], NumberTarget))
    first = numeric.targets[0]
    assert isinstance(first, NumberTarget) and first.value is not None
    for changes in ({"value": first.value * 1.01}, {"unit": "furlong"}, {"weight": 0.123}):
        targets = (first.model_copy(update=changes), *numeric.targets[1:])
        assert check(numeric, numeric.model_copy(update={"targets": targets}))


def test_another_family_or_given_is_a_change() -> None:
    problem = next(each for each in physbench.load() if each.givens)
    assert check(problem, problem.model_copy(update={"family": "another"}))
    assert check(problem, problem.model_copy(update={"givens": problem.givens[1:]}))
    assert check(problem, problem) == ()

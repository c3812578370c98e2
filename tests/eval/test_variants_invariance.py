"""What the invariance check computes: numbers, units, symbols, formulas, options and keys; nothing else."""

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants import REGIONS, pack, vary
from ansatz.eval.benchmarks.physbench.variants.invariance import check
from ansatz.eval.benchmarks.physbench.variants.numbers import numbers
from ansatz.eval.problem import ChoiceTarget, NumberTarget, Problem
from ansatz.quantities.markup import plain
from ansatz.quantities.scales import scale

RETELLINGS = Path(__file__).parent / "variants" / "retellings.jsonl"
COMPUTED = {
    *("number_changed", "digits_swapped", "numbers_exchanged", "unit_changed", "exponent_or_sign_changed"),
    *("given_left_out", "option_or_format_changed"),
}
FALL = (
    "Leila throws a ball horizontally at v_0 = 12.2 m/s from a cliff, h = 44 m above level ground. Air resistance"
    " is negligible and g = 9.8 m/s^2. Find the time of fall t_f."
)
FORMULA = "It falls as s = a*t^2/2. Find r.\n\nReport your answer as:\nr = ___"


def changes(original, variant):
    """What the check objects to in one text told as another."""
    target = NumberTarget(name="t", weight=1, unit="s", value=1.0)
    asked = Problem(id="q", family="q", benchmark="b", question=original, targets=(target,))
    return [*map(str, check(asked, asked.model_copy(update={"question": variant})))]


def test_retellings_by_another_hand_are_let_pass_where_faithful_and_caught_where_a_change_can_be_computed():
    seen, all_ = Counter(), Counter()
    for line in RETELLINGS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = row["corruption"] or "faithful"
        all_[kind] += 1
        seen[kind] += bool(changes(row["original"], row["variant"]))
    assert all_["faithful"] == 70 and seen["faithful"] == 0
    assert all_.keys() > COMPUTED and all(seen[kind] == all_[kind] == 5 for kind in COMPUTED)


UNITS = {"m": "cm", "s": "ms", "kg": "g", "N": "kN", "J": "kJ", "W": "mW", "V": "kV", "A": "mA"}
EDITS = {
    "another digit": (r"(?<= = )[1-9]", lambda found: str(int(found[0]) % 9 + 1)),
    "digits swapped": (r"(?<= = )([1-9])((?!\1)[1-9])", lambda found: found[2] + found[1]),
    "another unit": (rf"(?<=\d )({'|'.join(UNITS)})\b(?![/^*])", lambda found: UNITS[found[0]]),
    "another exponent": (r"(?<=\w)\^(\d)", lambda found: f"^{int(found[1]) + 1}"),
    "given left out": (r"\b[A-Za-z]\w* = -?\d[\d.e-]*(?: [A-Za-z][\w/^*()-]*)?", lambda _: ""),
}
"""Corruptions by a pattern and what stands in its place; they know nothing of the check."""


def test_variants_of_the_packs_are_many_and_faithful_and_what_a_rule_spoils_in_them_is_caught():
    """Of stories with an object half get another one, and every topic is told anew."""
    rng, problems = random.Random(20), physbench.load()
    planted, objects, topics = Counter(), [], set()
    for place, problem in enumerate(problems):
        made = vary(problem, pack(REGIONS[place % len(REGIONS)]), seed=20)
        things = {entity.text for role, entity in problem.entities.items() if role.startswith("object")}
        objects += [bool(things & made.words.keys())] if things else []
        if made.problem is None:
            continue
        topics.add(problem.tags["topic"])
        assert check(problem, made.problem) == (), problem.id
        text = made.problem.question
        for kind in sorted(EDITS, key=lambda each: (planted[each], each)):
            pattern, put = EDITS[kind]
            if places := list(re.finditer(pattern, text)):
                found = rng.choice(places)
                spoiled = text[: found.start()] + put(found) + text[found.end() :]
                assert check(problem, made.problem.model_copy(update={"question": spoiled})), (kind, spoiled)
                planted[kind] += 1
                break
    assert planted.total() >= 200 and min(planted.values()) >= 10
    assert sum(objects) >= 0.5 * len(objects) and topics == {each.tags["topic"] for each in problems}


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        (FALL, "44 m", "47 m", "number: h = 44 m is missing"),
        (FALL, "h = 44 m", "h = 44 cm", "symbol: h was h = 44 m and is h = 44 cm"),
        (FALL, " and g = 9.8 m/s^2", "", "number: g = 9.8 m/s^2 is missing"),
        (FALL, "t_f", "t_r", "symbol: t_f became t_r"),
        (FORMULA, "r = ___", "r = ___ J", "answer: the form of the answer is another"),
        (FORMULA, "t^2/2", "t^3/2", "formula: s=a*t^2/2 is missing"),
        ("Find v in km/h.", "km/h", "m/s", "asked: the answer is wanted in another unit"),
    ],
)
def test_the_reason_names_the_change(text, old, new, said):
    assert said in changes(text, text.replace(old, new))


@pytest.mark.parametrize(
    ("original", "told"),
    [
        ("It flies at 5 m/s.", "Five metres per second is its speed."),
        ("The path is 1.2×10^3 m long.", "It follows a way of 1.2e3 m."),
        ("Three signals have f_1 = 2 Hz and f_2 = 3 Hz.", "f_1 = 2 Hz, f_2 = 3 Hz."),
        ("A coil has N = 200 turns.", "N = 200 is its number of turns."),
        (FORMULA, FORMULA.replace("It falls", "Down it comes")),
        # what only a reader sees is left to the second opinion
        (FALL, FALL.replace("horizontally", "upwards").replace("is negligible", "is not negligible")),
    ],
)
def test_other_words_are_no_change_that_is_computed(original, told):
    assert changes(original, told) == []


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
def test_numbers_are_read_with_their_units(written, value, dimension):
    [found] = numbers(plain(f"It has {written} there."))
    known = scale(dimension) if dimension else None
    assert found.key == (pytest.approx(value, rel=1e-8), known.dimension if known else ())


def first(kind):
    """A problem with a target of a kind and with givens where it can have them."""
    found = (each for each in physbench.load() if isinstance(each.targets[0], kind))
    return next(each for each in found if each.givens or kind is ChoiceTarget)


def kinds(problem, **fields):
    """The kinds of changes in a problem with fields of its first target changed, or of its own."""
    own = {name: value for name, value in fields.items() if name in ("family", "givens")}
    target = problem.targets[0].model_copy(update={each: fields[each] for each in fields.keys() - own.keys()})
    told = problem.model_copy(update={"targets": (target, *problem.targets[1:]), **own})
    return {change.kind for change in check(problem, told)}


def test_options_key_family_and_givens_must_stay():
    choice, numeric = first(ChoiceTarget), first(NumberTarget)
    options = choice.targets[0].options
    turned = dict(zip(options, [*list(options.values())[1:], options["A"]], strict=True))
    assert kinds(choice, options=turned) == {"options"}
    assert kinds(choice, value=next(each for each in options if each != choice.targets[0].value)) == {
        "answer"
    }
    for fields in ({"value": numeric.targets[0].value * 1.01}, {"unit": "furlong"}, {"weight": 0.123}):
        assert kinds(numeric, **fields) == {"answer"}
    assert kinds(numeric, family="another") == {"family"}
    assert kinds(numeric, givens=numeric.givens[1:]) == {"given"}
    assert kinds(numeric) == set()

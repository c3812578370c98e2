"""From what a question states to the regime it is in: facts on the axes, and three-valued predicates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ansatz.knowledge_base.axes import NUMBERS, WORDS
from ansatz.knowledge_base.equation import Equation, EvaluationError
from ansatz.knowledge_base.givens import Given, givens, plain_symbol
from ansatz.knowledge_base.library import Library
from ansatz.knowledge_base.predicate import Predicate
from ansatz.knowledge_base.units import convert, quantity
from ansatz.knowledge_base.wording import Quantity, phrases, quantities


class Number(NamedTuple):
    """A value on a number axis, in the unit of the axis, and where it comes from."""

    value: float
    origin: str


class Judgement(NamedTuple):
    """Whether a predicate holds: True, False, or None where the question does not say; and why."""

    holds: bool | None
    reason: str


@dataclass(frozen=True)
class Facts:
    """What is known of a question's regime. An axis may have several numbers (two temperatures) or words."""

    numbers: Mapping[str, tuple[Number, ...]] = field(default_factory=dict)
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    givens: tuple[Given, ...] = ()

    def only(self, axis: str) -> float | None:
        """The number on `axis`, where there is exactly one."""
        values = {number.value for number in self.numbers.get(axis, ())}
        return values.pop() if len(values) == 1 else None

    def named(self, symbol: str, unit: str) -> tuple[Number, ...]:
        """The stated values of a symbol by its own name, in `unit`."""
        name = plain_symbol(symbol).replace("_", "")
        same = [given for given in self.givens if given.symbol.replace("_", "") == name]
        values = [given.to(unit) for given in same]
        return tuple(Number(value, "stated") for value in values if value is not None)


@dataclass(frozen=True)
class Derivation:
    """An equation of the base that yields an axis from others; `inputs` maps its symbols to axes.

    `assumed` are values for axes that a question rarely states: a regime needs only the order of magnitude.
    """

    equation: str
    inputs: Mapping[str, str]
    axis: str
    assumed: Mapping[str, float] = field(default_factory=dict)


# In the order of dependence: what a line yields, the lines after it may use.
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "cycle.ideal_gas_density",
        {"P1": "p", "Rgas": "gas_constant", "T1": "T_inf"},
        "rho",
        {"gas_constant": 287.0},
    ),
    Derivation(
        "equilibrium.sound_speed_perfect",
        {"gamma": "gamma", "Rgas": "gas_constant", "T": "T_inf"},
        "sound_speed",
        {"gamma": 1.4, "gas_constant": 287.0},
    ),
    Derivation("reference.mach_number", {"V": "speed", "a": "sound_speed"}, "mach"),
    Derivation("reference.reynolds_number", {"rho": "rho", "V": "speed", "L": "length", "mu": "mu"}, "Re_x"),
    Derivation("newtonian.similarity.k", {"M": "mach", "theta": "theta"}, "K_hyp"),
    Derivation("viscous_interaction.knudsen_number", {"lam": "mean_free_path", "L": "length"}, "kn"),
    Derivation("viscous_interaction.knudsen_number", {"lam": "mean_free_path", "L": "nose_radius"}, "kn"),
    Derivation(
        "viscous_interaction.knudsen_mach_reynolds",
        {"M": "mach", "Re": "Re_x", "gamma": "gamma"},
        "kn",
        {"gamma": 1.4},
    ),
    Derivation(
        "viscous_interaction.chi_bar",
        {"M": "mach", "C": "chapman_rubesin", "Re": "Re_x"},
        "chi_bar",
        {"chapman_rubesin": 1.0},
    ),
)


def facts(text: str, library: Library | None = None) -> Facts:
    """The facts that a question states; with a library also those its equations derive from them."""
    stated = Facts(_numbers(givens(text)), _words(text), givens(text))
    return stated if library is None else _with_derived(stated, library)


def judge(predicate: Predicate, known: Facts, equation: Equation | None = None) -> Judgement:
    """Three-valued: False only where the question contradicts the predicate, None where it is silent.

    An axis with several values satisfies a predicate only if all do, and contradicts it only if all do.
    """
    own = equation.units.get(predicate.var) if equation else None
    if predicate.axis in WORDS and own is None:
        return _judge_words(predicate, known)
    axis = NUMBERS.get(predicate.axis)
    unit = own if own is not None else axis.unit if axis else "-"
    numbers = known.named(predicate.var, unit) if own is not None else ()
    if not numbers and axis is not None:
        numbers, unit = known.numbers.get(predicate.axis, ()), axis.unit
    return _judge_numbers(predicate, numbers, unit)


def _judge_numbers(predicate: Predicate, numbers: tuple[Number, ...], unit: str) -> Judgement:
    if not numbers:
        return Judgement(None, f"needs {predicate.words()}, which the question does not settle")
    wanted = predicate.unit or unit
    values = [_in_unit(number.value, unit, wanted) for number in numbers]
    verdicts = {predicate.admits(value) for value in values}
    shown = " and ".join(dict.fromkeys(f"{value:.3g}" for value in values)) + f" {wanted}".rstrip(" -1")
    origins = "; ".join(dict.fromkeys(number.origin for number in numbers))
    if len(verdicts) > 1:
        return Judgement(None, f"needs {predicate.words()}; the question has {predicate.var} = {shown}")
    if verdicts == {True}:
        return Judgement(True, f"{predicate.words()} holds: {predicate.var} = {shown} ({origins})")
    return Judgement(False, f"needs {predicate.words()} but {predicate.var} = {shown} ({origins})")


def _in_unit(number: float, unit: str, wanted: str) -> float:
    return number if unit == wanted else float(convert(quantity(number, unit), wanted).magnitude)


def _judge_words(predicate: Predicate, known: Facts) -> Judgement:
    axis, stated = WORDS[predicate.axis], known.words.get(predicate.axis, frozenset())
    accepted, refused = frozenset(map(str, predicate.accepted)), frozenset(map(str, predicate.refused))
    against = {word for word in stated if accepted and all(axis.exclude(word, each) for each in accepted)}
    against |= stated & refused
    in_favour = stated & accepted if accepted else stated - refused
    is_system = axis.parts and (len(stated) > 1 or "cycle" in known.words)
    says = " and ".join(sorted(stated))
    if against and not in_favour and not is_system:
        return Judgement(False, f"needs {predicate.words()} but the question says {says}")
    if in_favour and (not against or (is_system and accepted)):
        return Judgement(True, f"{predicate.words()} holds: the question says {says}")
    return Judgement(None, f"needs {predicate.words()}, which the question does not settle")


def _words(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for phrase in phrases():
        if phrase.stated_in(text):
            found.setdefault(phrase.axis, set()).add(phrase.word)
    return {axis: frozenset(words) for axis, words in found.items()}


def _numbers(stated: tuple[Given, ...]) -> dict[str, tuple[Number, ...]]:
    found: dict[str, list[Number]] = {}
    for given in stated:
        for axis, value in _axes_of(given):
            name = given.symbol or axis
            found.setdefault(axis, []).append(
                Number(value, f"stated as {name} = {given.number:g} {given.unit}".removesuffix(" -"))
            )
    if "T_inf" in found and not _is_fast(found):
        found.setdefault("T", []).extend(found["T_inf"])
    return {axis: tuple(dict.fromkeys(numbers)) for axis, numbers in found.items()}


def _is_fast(found: Mapping[str, list[Number]]) -> bool:
    """Whether the gas that matters is far hotter than the free stream, which then says nothing of it."""
    limits = {"mach": 3.0, "speed": 1000.0}
    return any(number.value > limit for axis, limit in limits.items() for number in found.get(axis, ()))


def _axes_of(given: Given) -> list[tuple[str, float]]:
    """The axis of a stated quantity: the words before it decide; its symbol where they name none."""
    if given.is_range:
        return []
    clause = given.before.rsplit(",", 1)[-1]
    fitting = [(each, value) for each in quantities() if (value := _value(given, each)) is not None]
    fitting = [(each, value) for each, value in fitting if not each.never.search(clause)]
    for chosen in (
        [(each, value) for each, value in fitting if each.symbol.match(given.symbol)],
        [(each, value) for each, value in fitting if each.words.search(clause)],
        [(each, value) for each, value in fitting if each.words.search(given.after) and not given.symbol],
    ):
        if chosen:
            return [(chosen[0][0].axis, chosen[0][1])]
    return []


def _value(given: Given, axis: Quantity) -> float | None:
    """The number in the unit of the axis. An angle must bear its unit, a pure number none."""
    value = given.to(axis.unit)
    if axis.unit == "rad":
        return value if given.unit not in ("-", "%") else None
    if axis.unit == "-":
        return value if given.unit in ("-", "%") else None
    return value


def _with_derived(stated: Facts, library: Library) -> Facts:
    known = stated
    for derivation in DERIVATIONS:
        if derivation.axis in known.numbers or derivation.equation not in library:
            continue
        values = {name: known.only(axis) for name, axis in derivation.inputs.items()}
        values = {
            name: derivation.assumed.get(derivation.inputs[name]) if value is None else value
            for name, value in values.items()
        }
        if all(value is not None for value in values.values()):
            known = _derived(known, derivation, library.get(derivation.equation), values)
    return known


def _derived(known: Facts, by: Derivation, equation: Equation, values: Mapping[str, float | None]) -> Facts:
    try:
        number = equation.value(**{name: value for name, value in values.items() if value is not None})
    except EvaluationError:
        return known
    origin = f"derived from {', '.join(by.inputs.values())}"
    return replace(known, numbers={**known.numbers, by.axis: (Number(number, origin),)})

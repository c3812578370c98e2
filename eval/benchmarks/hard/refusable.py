"""Problems that must be refused, each with a sound twin: data are missing, contradictory or impossible.

The right answer names the fault and a quantity at fault. The twin has the same text with sound data, and its
right answer is the number, so refusing everything earns as little as refusing nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, TypeAdapter

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks import hard
from ansatz.eval.benchmarks.hard.template import HardTemplate
from ansatz.eval.benchmarks.templates import make_problems
from ansatz.eval.benchmarks.templates.si_template import si_factor
from ansatz.eval.benchmarks.templates.story import Story, format_result
from ansatz.eval.benchmarks.templates.template_parts import TemplatePart, round_to
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, ReferenceSolution
from ansatz.eval.validation import check_choices
from ansatz.knowledge_base.equation import library
from ansatz.settings import Count

Fault = Literal["missing", "contradictory", "impossible"]
FAULTS: tuple[Fault, ...] = ("missing", "contradictory", "impossible")
SOUND = "none"
PAIRS = 60
_DIGITS = 4
_FORM = """

The data may be incomplete, contradict each other, or be impossible. Report your answers as:
fault = ___ (none, missing, contradictory or impossible)
quantity = ___ (the symbol of one quantity that is missing or at fault, or none)
"""


class Contradiction(TemplatePart):
    """A sentence about a quantity that follows from givens."""

    symbol: str
    sentence: str
    unit: str
    right: str = Field(alias="is")
    """Its right value, a formula in SI units."""
    times: float
    """The factor of the contradictory value."""
    of: tuple[str, ...] = Field(min_length=1)
    """The givens from which it follows."""
    described: str


class Impossibility(TemplatePart):
    """A value of a given that cannot be."""

    symbol: str
    wrong: str = Field(alias="is")
    """The impossible value, a formula in SI units."""
    of: tuple[str, ...] = ()
    """Further givens that the value conflicts with."""
    reason: str


class FaultSpec(TemplatePart):
    """The faults that problems of a family can have."""

    missing: tuple[str, ...] = ()
    contradictory: Contradiction | None = None
    impossible: Impossibility | None = None


def load(pairs: Count = PAIRS, seed: int = 0, faults: list[Fault] | None = None) -> tuple[Problem, ...]:
    """Return `pairs` problems with a fault, each followed by its sound twin.

    The faults take turns, and each is spread over families. The tag `fault` is missing, contradictory,
    impossible or none, and `twin_id` names the other problem of the pair. Raises InvalidData if there are
    fewer pairs.
    """
    wanted = tuple(faults or FAULTS)
    check_choices("faults", wanted, FAULTS)
    chosen = _choose(pairs, seed, wanted)
    return tuple(problem for place in chosen for problem in _make_pair(*place, seed))


@cache
def read_faults() -> Mapping[str, FaultSpec]:
    """Return the faults by family, from `faults.yaml`."""
    content = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text(encoding="utf-8"))
    return TypeAdapter(dict[str, FaultSpec]).validate_python(content)


def _choose(pairs: int, seed: int, wanted: tuple[Fault, ...]) -> list[tuple[str, Fault, int]]:
    """Return family, fault and instance of each pair, no family twice before each has had its turn."""
    order = {
        fault: [name for name, spec in read_faults().items() if getattr(spec, fault)] for fault in wanted
    }
    for fault, families in order.items():
        random.Random(f"refusable/{seed}/{fault}").shuffle(families)
    chosen: list[tuple[str, Fault, int]] = []
    for place in range(pairs):
        fault = wanted[place % len(wanted)]
        turn, at = divmod(place // len(wanted), len(order[fault]))
        if turn > 9:
            raise InvalidData(f"pairs: there are only {10 * sum(map(len, order.values()))}, not {pairs}")
        chosen.append((order[fault][at], fault, turn * len(FAULTS) + FAULTS.index(fault)))
    return chosen


def _make_pair(family: str, fault: Fault, instance: int, seed: int) -> Iterator[Problem]:
    """Yield the faulty problem and its twin."""
    template = next(each for each in hard.templates() if each.id == family)
    sound = make_problems(template, instance + 1, seed, library())[instance]
    values = {given.name: given.value for given in sound.givens}
    spec = read_faults()[family]
    statement, wrong = template.statement, dict(values)
    at_fault: tuple[str, ...]
    if fault == "missing":
        names = spec.missing
        symbol = names[random.Random(f"refusable/{seed}/{sound.id}").randrange(len(names))]
        faulty = _without_value(template, symbol)
        at_fault, reason = (symbol,), f"{symbol} is not given and does not follow from the other data"
    elif fault == "contradictory" and (conflict := spec.contradictory):
        symbol, at_fault = conflict.symbol, (conflict.symbol, *conflict.of)
        right = round_to(_DIGITS, _evaluate(template, conflict.right, values) / si_factor(conflict.unit))
        values[symbol], wrong[symbol] = right, round_to(_DIGITS, right * conflict.times)
        statement = faulty = _insert(statement, conflict.sentence)
        reason = f"{symbol} is {format_result(right)} {conflict.unit} by {', '.join(conflict.of)}"
    elif spec.impossible:
        symbol, at_fault = spec.impossible.symbol, (spec.impossible.symbol, *spec.impossible.of)
        number = _evaluate(template, spec.impossible.wrong, values) / si_factor(template.givens[symbol].unit)
        wrong[symbol], faulty, reason = round_to(_DIGITS, number), statement, spec.impossible.reason
    pair = f"{family}#{instance}~{fault}"
    numbers = [each for each in sound.targets if isinstance(each, NumberTarget)]
    blanks = "\n".join(f"{each.name} = ___ {each.unit} (or none)".replace(" - (", " (") for each in numbers)
    common = {"benchmark": "refusable", "family": family}
    tags = {"domain": template.domain, "kinds": template.kinds}
    yield sound.model_copy(
        update={
            **common,
            "id": pair,
            "question": f"{Story(template, wrong, {}).fill(faulty)}{_FORM}{blanks}",
            "givens": tuple(
                given.model_copy(update={"value": wrong[given.name]})
                for given in sound.givens
                if fault != "missing" or given.name != symbol
            ),
            "targets": _fault_targets(template, fault, at_fault, spec),
            "reference": ReferenceSolution(text=f"{fault}: {reason}."),
            "tags": {**tags, "fault": fault, "twin_id": f"{pair}~sound"},
        }
    )
    yield sound.model_copy(
        update={
            **common,
            "id": f"{pair}~sound",
            "question": f"{Story(template, values, {}).fill(statement)}{_FORM}{blanks}",
            "targets": (
                LabelTarget(name="fault", weight=0.3, value=SOUND, accepted=("no fault", "no")),
                *(each.model_copy(update={"weight": 0.7 * each.weight}) for each in numbers),
            ),
            "tags": {**tags, "fault": SOUND, "twin_id": pair},
        }
    )


def _evaluate(template: HardTemplate, formula: str, values: Mapping[str, float | str]) -> float:
    return float(template.value(formula, values))


def _without_value(template: HardTemplate, symbol: str) -> str:
    """Return the statement with only the symbol of a given, without its value and unit."""
    unit = template.givens[symbol].unit
    written = "" if unit == "-" else rf" {re.escape(unit.replace('*', ' '))}"
    found, count = re.subn(rf"\b{symbol} = \{{{symbol}\}}{written}", symbol, template.statement)
    if count != 1 or f"{{{symbol}}}" in found:
        raise InvalidData(f"{template.id}: the statement does not give {symbol} exactly once")
    return found


def _insert(statement: str, sentence: str) -> str:
    """Insert a sentence before the request."""
    head, _, request = statement.rpartition(" Find ")
    return f"{head} {sentence} Find {request}"


def _fault_targets(
    template: HardTemplate, fault: Fault, at_fault: tuple[str, ...], spec: FaultSpec
) -> tuple[LabelTarget, LabelTarget]:
    """Return the fault, and the quantity by any symbol or description that takes part in it."""
    described = [template.givens[name].description for name in at_fault if name in template.givens]
    if fault == "contradictory" and spec.contradictory:
        described.append(spec.contradictory.described)
    # A value that is impossible only next to other givens contradicts them, too.
    accepted = ("contradictory",) if fault == "impossible" and len(at_fault) > 1 else ()
    return (
        LabelTarget(name="fault", weight=0.5, value=fault, accepted=accepted),
        LabelTarget(name="quantity", weight=0.5, value=at_fault[0], accepted=(*at_fault[1:], *described)),
    )

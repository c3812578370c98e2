"""The checks that every entry must pass before it is used."""

from __future__ import annotations

import contextlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from ansatz.errors import EvaluationError, ExpressionError, UnitError
from ansatz.knowledge_base.equation.canonical_form import compute_form, group_by_formula
from ansatz.knowledge_base.equation.dimensional_analysis import find_imbalance
from ansatz.knowledge_base.equation.equation import Equation, find_violations
from ansatz.knowledge_base.equation.grammar import Expression, Relation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.parts import TestVector
from ansatz.knowledge_base.equation.sampling import draw_states, find_broken_relations, make_corner_states
from ansatz.knowledge_base.gates.latex_gate import find_notation_problems
from ansatz.knowledge_base.gates.mutation import make_alterations
from ansatz.knowledge_base.gates.siblings import find_unmatched_conditions
from ansatz.quantities.units import parse_unit, registry

_SAMPLES, _CORNERS = 24, 256
# Kinds of entries that need no condition; a law, a fit or a solution does.
_HOLD_AS_STATED = ("definition", "bound", "boundary_condition")
# A place in a book, or a paper or report; a citation from memory contains "edition not at hand".
_LOCATED = re.compile(
    r"\b(?:ch\.|chapters?|sections?|sec\.|tables?|eq\.|equations?|appendix|annex|parts?|vol\.)\s"
    r"|\d+,? ?\(\d{4}\)|\d-\d+|\d+, \d{4}\b"
    r"|\b(?:Report|Paper|Papers|Standard|Tables|Conference|Guide|Formulary|GRI-Mech|TN|TR|TP|SP|CR|ACR|R&M"
    r"|AEDC|AGARD\w*|ASTM|ISO|MIL|Sandia|NASA)\b|not at hand"
)
_INFINITE = 1e9


Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class BaseReport:
    """The result of a check of several entries."""

    entries: int
    """The number of checked entries."""
    unique_formulas: int
    """Their number of different formulas."""
    instances: int
    """The number of entries that belong to a family."""
    by_domain: dict[str, int]
    """The number of entries of each domain."""
    failures: dict[str, list[str]]
    """The error lines by id."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def check_base(chosen: Callable[[str], bool], progress: Progress | None = None) -> BaseReport:
    """Check the shipped entries whose id is chosen."""
    library = Library.read()
    equations = [equation for equation in library if chosen(equation.id)]
    failures = {id: list(lines) for id, lines in library.problems.items() if chosen(id)}
    for done, equation in enumerate(equations, 1):
        if lines := check_entry(equation, library):
            failures[equation.id] = lines
        if progress:
            progress("gates", done, len(equations))
    return BaseReport(
        entries=len(equations),
        unique_formulas=len(group_by_formula(equations)),
        instances=sum(equation.family is not None for equation in equations),
        by_domain=dict(sorted(Counter(equation.domain for equation in equations).items())),
        failures=dict(sorted(failures.items())),
    )


def check_entry(equation: Equation, library: Library) -> list[str]:
    """Return one line for each error of an entry that its schema allows."""
    bad_units = _check_units(equation)
    if bad_units:
        return bad_units
    gates = (
        _check_regime,
        _check_validity,
        _check_references,
        _check_sampling,
        _check_range_ends,
        find_notation_problems,
        _check_dimensions,
        _check_test_vectors,
        _check_coherence,
        _check_mutation,
        _check_bounds,
        _check_limits,
        _check_wrong_unit,
    )
    return [
        *(line for gate in gates for line in gate(equation)),
        *library.find_broken_references(equation),
        *_check_duplicates(equation, library),
        *find_unmatched_conditions(equation, library),
    ]


def _check_units(equation: Equation) -> list[str]:
    lines = []
    for name, unit in equation.units.items():
        try:
            parse_unit(unit)
        except UnitError as error:
            lines.append(f"{name}: {error}")
    return lines


def _check_regime(equation: Equation) -> Iterator[str]:
    predicates = [*equation.regime.require, *equation.regime.prefer]
    predicates += [mode.predicate for mode in equation.failure_modes if mode.predicate]
    for predicate in predicates:
        problem = predicate.find_problem(equation.units)
        if problem:
            yield f"regime: {predicate.describe()}: {problem}"
    limited = bool(_list_conditions(equation))
    if limited and equation.regime.everywhere:
        yield "regime: has both conditions and `everywhere`; leave one out"
    if not limited and not equation.regime.everywhere and equation.kind not in _HOLD_AS_STATED:
        yield "regime: states no condition, range or assumption; give one, or the reason in `everywhere`"


def _list_conditions(equation: Equation) -> list[object]:
    """Return everything that limits an entry; a range by definition limits only its quantity."""
    ranges = [variable.valid for variable in equation.symbols.values() if variable.valid]
    return [
        *equation.regime.require,
        *equation.regime.prefer,
        *(valid for valid in ranges if valid.source != "definition"),
        *equation.holds_where,
        *equation.assumptions,
        *equation.failure_modes,
    ]


def _check_validity(equation: Equation) -> Iterator[str]:
    """Check that ranges name a source and that test vectors fulfil ranges, regime and relations."""
    for name, variable in equation.symbols.items():
        if variable.valid is None:
            continue
        if not variable.valid.source:
            yield f"valid: {name} has no source; 'definition' if it follows from the kind of quantity"
        if problem := variable.valid.find_problem(equation.units):
            yield f"valid: {problem}"
    for number, test in enumerate(equation.tests, 1):
        for violation in find_violations(equation, test.inputs):
            yield f"test {number}: {violation}"
        for relation in find_broken_relations(equation, test.inputs):
            yield f"test {number}: breaks the relation {relation}"


def _check_references(equation: Equation) -> Iterator[str]:
    for reference in equation.references:
        if not _LOCATED.search(reference):
            yield f"references: {reference}: name chapter or section, or write 'edition not at hand'"


def _check_sampling(equation: Equation) -> Iterator[str]:
    """Check that there are enough sampled states, that they are valid, and that all have a value."""
    states = draw_states(equation, _SAMPLES)
    if len(states) < _SAMPLES:
        yield f"sample: the relations leave only {len(states)} states of {_SAMPLES}"
    yield from dict.fromkeys(
        f"sample: {violation}" for state in states for violation in find_violations(equation, state)
    )
    valued = len(_draw_samples(equation))
    if valued < len(states):
        yield f"sample: {len(states) - valued} of {len(states)} states have no value; give their relation"


def _check_range_ends(equation: Equation) -> Iterator[str]:
    """Check that the formula has a finite value at the ends of its ranges, if its conditions hold there."""
    if equation.expr is None:
        return
    for state in make_corner_states(equation, _CORNERS):
        if find_broken_relations(equation, state) or find_violations(equation, state):
            continue
        try:
            finite = math.isfinite(equation.value(**state))
        except EvaluationError:
            finite = False
        if not finite:
            yield f"ends: no value at {_format_inputs(state)}; exclude it from `valid` or state the condition"
            return


def _check_dimensions(equation: Equation) -> Iterator[str]:
    if problem := find_imbalance(equation):
        yield f"dimensions: {problem}"


def _check_test_vectors(equation: Equation) -> Iterator[str]:
    for number, test in enumerate(equation.tests, 1):
        try:
            value = equation.value(**test.inputs)
        except EvaluationError as error:
            yield f"test {number}: {error}"
            continue
        if not _is_reproduced(value, test):
            yield f"test {number}: gives {value:.9g}, not {test.out:.9g} (rtol {test.rtol:g})"


def _is_reproduced(value: float, test: TestVector) -> bool:
    return math.isclose(value, test.out, rel_tol=test.rtol, abs_tol=1e-300 if test.out else test.rtol)


def _check_coherence(equation: Equation) -> Iterator[str]:
    """Check that numbers in the declared units give the same result as numbers in base units."""
    if equation.expr is None:
        return
    if all(math.isclose(_convert_to_base(1.0, unit), 1.0, rel_tol=1e-12) for unit in equation.units.values()):
        return
    numbers = {**equation.constant_values, **equation.tests[0].inputs}
    try:
        in_base = equation.formula(
            {name: _convert_to_base(value, equation.units[name]) for name, value in numbers.items()}
        )
        expected = _convert_to_base(equation.formula(numbers), equation.units[equation.output])
    except ExpressionError as error:
        yield f"units: {error}"
        return
    if not math.isclose(in_base, expected, rel_tol=1e-9):
        odd = ", ".join(name for name, unit in equation.units.items() if _convert_to_base(1.0, unit) != 1.0)
        yield f"units: the formula hides a conversion; use base units (rad, K, Pa, J, kg) for {odd}"


def _convert_to_base(number: float, unit: str) -> float:
    return float(registry().Quantity(number, parse_unit(unit)).to_base_units().magnitude)


def _check_mutation(equation: Equation) -> Iterator[str]:
    for altered in make_alterations(equation):
        if not all(_is_undetected(equation, altered, test) for test in equation.tests):
            continue
        samples = (
            TestVector(inputs=inputs, out=value, rtol=1e-9, source="drawn")
            for inputs, value in _draw_samples(equation)
        )
        # An alteration that changes no value, such as a sign that is squared, needs no test.
        if not all(_is_undetected(equation, altered, sample) for sample in samples):
            yield f"mutation: no test detects the altered formula {altered.text}"


def _is_undetected(equation: Equation, altered: Expression, test: TestVector) -> bool:
    """Whether an altered formula passes a test within its tolerance."""
    known = {**equation.constant_values, **test.inputs}
    try:
        if equation.expr is not None:
            return _is_reproduced(altered(known), test)
        slope = altered({**known, equation.output: test.out * (1 + 1e-3) or 1e-3})
        return abs(altered({**known, equation.output: test.out})) <= abs(slope) * 1e3 * max(test.rtol, 1e-9)
    except ExpressionError:
        return False


def _check_bounds(equation: Equation) -> Iterator[str]:
    for bound in equation.bounds:
        comparison = Relation.parse(bound.expr)
        for inputs, value in _draw_samples(equation):
            known = {**equation.constant_values, **inputs, equation.output: value}
            if not comparison.holds(known):
                place = f"{_format_inputs(inputs)}, where {equation.output} = {value:.6g}"
                yield f"bounds: {bound.expr} fails at {place}"
                break


def _check_limits(equation: Equation) -> Iterator[str]:
    for limit in equation.limits:
        let = {name: math.copysign(_INFINITE, v) if math.isinf(v) else v for name, v in limit.let.items()}
        wanted = Expression.parse(limit.out) if isinstance(limit.out, str) else None
        for inputs, usual in _draw_samples(equation):
            at = {**inputs, **let}
            try:
                value = equation.value(**at)
            except EvaluationError as error:
                yield f"limits: {error}"
                break
            out = wanted({**equation.constant_values, **at}) if wanted else float(limit.out)
            rtol = max(limit.rtol, 1e-4) if let != limit.let else limit.rtol
            if not _is_reached(value, out, rtol, usual):
                yield f"limits: {limit.let} gives {value:.6g}, not {out:g}, at {_format_inputs(inputs)}"
                break


def _is_reached(value: float, out: float, rtol: float, usual: float) -> bool:
    if math.isinf(out):
        return value * out > 0 and abs(value) > 1e3 * abs(usual)
    return math.isclose(value, out, rel_tol=rtol, abs_tol=rtol * abs(usual))


def _check_wrong_unit(equation: Equation) -> Iterator[str]:
    inputs = equation.tests[0].inputs
    for name in equation.inputs:
        units = {other: parse_unit(equation.units[other]) for other in equation.inputs}
        units[name] *= registry().mole
        try:
            equation.evaluate(
                **{symbol: registry().Quantity(inputs[symbol], unit) for symbol, unit in units.items()}
            )
        except EvaluationError:
            continue
        yield f"a quantity of the wrong dimension is accepted for {name}"


def _check_duplicates(equation: Equation, library: Library) -> Iterator[str]:
    for other in _group_by_form(library).get(equation.id, ()):
        same_family = other.family and equation.family and other.family.name == equation.family.name
        if other.id != equation.id and not same_family:
            yield f"has the form of {other.id}: declare both instances of one family, or drop one"


@lru_cache(maxsize=4)
def _group_by_form(library: Library) -> Mapping[str, list[Equation]]:
    """Return, for the id of each entry, all entries that have its form."""
    by_form = defaultdict(list)
    for equation in library:
        if not _check_units(equation):
            by_form[compute_form(equation)].append(equation)
    return {equation.id: group for group in by_form.values() for equation in group}


def _draw_samples(equation: Equation) -> list[tuple[dict[str, float], float]]:
    """Draw inputs with their output, the same ones in every call; inputs without an output are skipped."""
    samples = []
    for inputs in draw_states(equation, _SAMPLES):
        with contextlib.suppress(EvaluationError):
            samples.append((inputs, equation.value(**inputs)))
    return samples


def _format_inputs(inputs: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:.4g}" for name, value in inputs.items())

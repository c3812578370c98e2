"""Derivations: every line of every argument follows, and wrong answers are rejected."""

import math
import random

import pytest
import sympy
from scipy.integrate import quad

from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.templates import make_problems, read_templates
from ansatz.eval.benchmarks.tps.template import DOMAINS, LEVELS, TPSTemplate
from ansatz.eval.outcome import judge_targets
from ansatz.eval.problem import NumberTarget, SymbolicTarget
from ansatz.knowledge_base.equation import Expression, library
from ansatz.quantities.units import quantity

pytestmark = pytest.mark.xdist_group("tps")

TEMPLATES = [each for each in read_templates(tps.FOLDER, TPSTemplate) if each.id.startswith("derivations.")]
each_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)


def _value(text, known, point):
    """An expression at a point, earlier results included; what the point names is not derived."""
    if text == "inf":
        return math.inf
    names = Expression.parse(text).names
    derived = {name: _value(known[name], known, point) for name in names & known.keys() - point.keys()}
    return Expression.parse(text)({**point, **derived})


def _follows(step, known, point):
    """Whether a line of an argument holds at a point, by numbers."""
    at = {**point, **{name: _value(text, known, point) for name, text in step.at.items()}}
    claimed = _value(step.result, known, point)

    def of(value, name=step.over):
        return _value(step.of, known, {**at, name: value})

    if step.by == "algebra":
        return math.isclose(_value(step.of, known, at), claimed, rel_tol=1e-8)
    if step.by == "solution":
        return abs(of(claimed, step.gives)) <= 1e-6 * abs(of(1.001 * claimed, step.gives))
    if step.by == "derivative":
        width = 1e-4 * point[step.over]
        slope = (of(point[step.over] + width) - of(point[step.over] - width)) / (2 * width)
        return math.isclose(slope, claimed, rel_tol=1e-4)
    if step.by == "integral":
        low, high = (_value(end, known, point) for end in (step.low, step.high))
        return math.isclose(quad(of, low, high)[0], claimed, rel_tol=1e-6)
    if step.by == "limit":
        near = 1e6 if step.to == "inf" else _value(step.to, known, point) + 1e-6
        return math.isclose(of(near), claimed, rel_tol=1e-3)
    sign = {"maximum": 1, "minimum": -1}[step.by]
    return max(sign * of(1.001 * claimed), sign * of(0.999 * claimed)) < sign * of(claimed)


def _points(template):
    """Five points of the symbols and free variables, in SI units."""
    problem = make_problems(template, 1, 0, library())[0]
    names = {name for step in template.derivation.argument for name in _names(step)}
    ranges = {**problem.targets[0].domains, **template.derivation.ranges}
    rng = random.Random(template.id)
    return [{name: rng.uniform(*ranges.get(name, (0.3, 3.0))) for name in sorted(names)} for _ in range(5)]


def _names(step):
    texts = [step.of, step.result, step.low, step.high, step.over, *step.at.values()]
    return {name for text in texts if text not in ("", "inf") for name in Expression.parse(text).names}


@each_template
def test_every_line_follows_and_an_altered_one_does_not(template):
    points, known = _points(template), {}
    derived = {step.gives for step in template.derivation.argument}
    points = [{name: value for name, value in each.items() if name not in derived} for each in points]
    for step in template.derivation.argument:
        if step.by != "definition":
            assert all(_follows(step, known, point) for point in points), step.gives
            altered = step.model_copy(update={"result": f"1.01*({step.result})"})
            assert not any(_follows(altered, known, point) for point in points), step.gives
        known[step.gives] = step.result
    for point in points:
        ends = _value(template.derivation.argument[-1].gives, known, point)
        assert _value(template.derivation.closed_form, known, point) == pytest.approx(ends, rel=1e-8)


@each_template
def test_an_item_asks_for_the_closed_form_and_its_value(template):
    for problem in make_problems(template, 2, 7, library()):
        form = problem.targets[0]
        assert isinstance(form, SymbolicTarget)
        assert f"{form.name} = ___ (closed form in {', '.join(form.symbols)})" in problem.question
        assert Expression.parse(form.value).names == set(form.symbols)
        assert problem.reference.derivation[-1].symbol == form.name
        givens = {
            given.name: si(given.value, given.unit) for given in problem.givens if given.name in form.symbols
        }
        value = next(step for step in problem.reference.steps if step.symbol == template.derivation.value)
        assert Expression.parse(form.value)(givens) == pytest.approx(si(value.value, value.unit), rel=1e-6)


def si(value, unit):
    return quantity(value, unit).to_base_units().magnitude


@each_template
def test_the_key_is_right_and_every_alteration_of_it_wrong(template):
    problem = make_problems(template, 1, 0, library())[0]
    numbers = "\n".join(
        f"{target.name} = {target.value} {target.unit}"
        for target in problem.targets
        if isinstance(target, NumberTarget)
    )
    form = problem.targets[0]
    verdicts = judge_targets(problem.targets, f"{form.name} = {form.value}\n{numbers}")
    assert [verdict.exact for verdict in verdicts] == [True] * len(problem.targets)
    for altered in ("2*{}", "-({})", "({})**2", f"({{}})*{form.symbols[0]}"):
        answer = f"{form.name} = {altered.format(form.value)}\n{numbers}"
        assert not judge_targets(problem.targets, answer)[0].exact


GREEK = {"rho", "gamma", "theta", "phi", "delta", "sigma", "mu", "nu"}
STYLES = ({}, {"fold_frac_powers": True}, {"mul_symbol": "times"}, {"fold_short_frac": True})


def in_latex(name):
    letter, _, index = name.partition("_")
    letter = "\\varepsilon" if letter == "eps" else f"\\{letter}" if letter in GREEK else letter
    index = "\\infty" if index == "inf" else f"\\mathrm{{{index}}}" if len(index) > 1 else index
    return f"{letter}_{{{index}}}" if index else letter


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_the_keys_are_read_back_from_latex_by_another_program(style):
    for template in TEMPLATES:
        form = make_problems(template, 1, 0, library())[0].targets[0]
        symbols = {name: sympy.Symbol(name, real=True) for name in form.symbols}
        expression = sympy.sympify(form.value, locals=symbols, rational=True)
        names = {symbol: in_latex(symbol.name) for symbol in expression.free_symbols}
        answer = (
            f"因此 $${in_latex(form.name)} = {sympy.latex(expression, symbol_names=names, **style)} = 1.5$$"
        )
        assert judge_targets([form], answer)[0].exact, answer


def test_there_are_enough_of_them_and_they_cover_every_domain():
    assert len(TEMPLATES) >= 24
    assert {template.domains[0] for template in TEMPLATES} == set(DOMAINS)
    assert {template.level for template in TEMPLATES} == set(LEVELS)


def test_the_maximum_deflection_agrees_with_another_form():
    """The argument ends in an arctangent, books give asin(1/gamma): both must be right."""
    template = next(each for each in TEMPLATES if each.id == "derivations.greatest_deflection")
    target = make_problems(template, 1, 0, library())[0].targets[0]
    assert judge_targets([target], "theta_m = asin(1/gamma)")[0].exact
    assert judge_targets([target], r"\theta_m = \arccos\frac{\sqrt{\gamma^2 - 1}}{\gamma}")[0].exact

"""Derivations: every line of every argument follows, a planted fault is found, and answers are told apart."""

import math

import pytest
import sympy

from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.templates import make_problems, read_template, read_templates
from ansatz.eval.benchmarks.templates.derivation import argument_faults
from ansatz.eval.benchmarks.tps.tps_template import DOMAINS, LEVELS, TPSTemplate
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.outcome import judge
from ansatz.eval.problem import NumberTarget, SymbolicTarget
from ansatz.knowledge_base.equation import Expression, library
from ansatz.quantities.units import quantity

TEMPLATES, _ = read_templates(tps.FOLDER, TPSTemplate, "derivations")
FOLDER = tps.FOLDER / "derivations"
each_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)


def changed(tmp_path, name, *changes):
    """A template with some of its text replaced."""
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "derivations" / f"{name}.yaml"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    return read_template(file, TPSTemplate, f"derivations.{name}")


@each_template
def test_every_line_follows_from_those_before(template):
    assert list(argument_faults(template)) == []


@each_template
def test_an_item_asks_for_the_closed_form_and_its_value(template):
    for problem in make_problems(template, 2, 7, library()):
        form = next(target for target in problem.targets if isinstance(target, SymbolicTarget))
        assert form == problem.targets[0]
        assert f"{form.name} = ___ (closed form in {', '.join(form.symbols)})" in problem.question
        assert problem.tags["task_type"] == "derivation"
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
    verdicts = judge(problem.targets, f"{form.name} = {form.value}\n{numbers}")
    assert [verdict.exact for verdict in verdicts] == [True] * len(problem.targets)
    for altered in (
        f"2*{form.value}",
        f"-({form.value})",
        f"({form.value})**2",
        f"({form.value})*{form.symbols[0]}",
    ):
        assert not judge(problem.targets, f"{form.name} = {altered}\n{numbers}")[0].exact


GREEK = {"rho", "gamma", "theta", "phi", "delta", "sigma", "mu", "nu"}
STYLES = (
    {},
    {"fold_frac_powers": True},
    {"mul_symbol": "times", "inv_trig_style": "full"},
    {"fold_short_frac": True},
)


def in_latex(name):
    letter, _, index = name.partition("_")
    letter = "\\varepsilon" if letter == "eps" else f"\\{letter}" if letter in GREEK else letter
    index = "\\infty" if index == "inf" else f"\\mathrm{{{index}}}" if len(index) > 1 else index
    return f"{letter}_{{{index}}}" if index else letter


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_the_keys_are_read_back_from_latex_by_another_program(style):
    for template in TEMPLATES:
        form = make_problems(template, 1, 0, library())[0].targets[0]
        expression = Expression.parse(form.value).sympy()
        names = {symbol: in_latex(symbol.name) for symbol in expression.free_symbols}
        answer = (
            f"因此 $${in_latex(form.name)} = {sympy.latex(expression, symbol_names=names, **style)} = 1.5$$"
        )
        assert judge([form], answer)[0].exact, answer


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("sphere_drag", [("is: pi*R_s**2*C_pm/2", "is: pi*R_s**2*C_pm/3")], "argument[2]: C_A: is not the integral"),
        ("sphere_drag", [("is: pi*rho_inf*V_inf**2*R_s**2*C_pm/4", "is: pi*rho_inf*V_inf*R_s**2*C_pm/4")], "argument[3]: D_s: does not follow"),
        ("ballistic_deceleration", [("rho_m, is: B*sin(gamma_E)/H", "rho_m, is: B*sin(gamma_E)/(2*H)")], "rho_m: is no maximum at"),
        ("ballistic_deceleration", [("by: maximum", "by: minimum")], "rho_m: is no minimum at"),
        ("critical_insulation", [("- 1/(2*pi*r**2*h_o*L), by: derivative", "+ 1/(2*pi*r**2*h_o*L), by: derivative")], "slope: is not the derivative"),
        ("strong_shock_density", [("is: (gamma + 1)/(gamma - 1), by: limit", "is: (gamma - 1)/(gamma + 1), by: limit")], "r_m: is not the limit"),
        ("degree_of_dissociation", [("x_d, is: sqrt(K_p/(K_p + 4*p_g))", "x_d, is: sqrt(K_p/(K_p + 2*p_g))")], "x_d: does not solve it"),
        ("radiating_nose", [("closed_form: (k_s*sqrt(rho/R_n)*V**3/(eps_w*sigma))**(1/4)", "closed_form: (k_s*sqrt(rho/R_n)*V**3/(eps_w*sigma))**(1/3)")], "closed_form: is not what the argument ends with"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_found_where_it_is(tmp_path, name, changes, message):
    found = list(argument_faults(changed(tmp_path, name, *changes)))
    assert len(found) == 1
    assert message in found[0]


def test_a_closed_form_that_differs_from_the_steps_makes_no_problem(tmp_path):
    template = changed(tmp_path, "cone_drag", ("closed_form: pi*", "closed_form: 2*pi*"))
    with pytest.raises(InvalidData, match=r"the closed form gives \S+ where the steps give"):
        make_problems(template, 1, 0, library())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([("value: D_1", "value: D_2")], "derivation.value: no step gives D_2; did you mean 'D_1'?"),
        ([("name: D_c", "name: D_1")], "derivation.name: 'D_1' already has a value"),
        ([("symbols: [rho_inf,", "symbols: [rho,")], "derivation.symbols: 'rho' is not a given number; did you mean 'rho_"),
        ([("closed_form: pi*rho_inf", "closed_form: pi")], "derivation.closed_form: its names are R_b, V_inf, theta_c"),
        ([("task_type: derivation", "task_type: comparison")], "derivation: must be there for the task type derivation"),
        ([("over: r, low", "low")], "derivation.argument[1]: integral needs over"),
        ([("weight: 0.6", "weight: 0.7")], "targets: the weights add up to 1.1, not 1"),
    ],
)  # fmt: skip
def test_a_derivation_that_contradicts_its_template_is_refused(tmp_path, changes, message):
    with pytest.raises(InvalidData) as raised:
        changed(tmp_path, "cone_drag", *changes)
    assert message in str(raised.value)


def test_there_are_enough_of_them_and_they_cover_every_domain():
    assert len(TEMPLATES) >= 24
    assert {template.domains[0] for template in TEMPLATES} == set(DOMAINS)
    assert {template.level for template in TEMPLATES} == set(LEVELS)


def test_their_greatest_deflection_agrees_with_another_form_of_it():
    """The argument ends in an arctangent, books give asin(1/gamma): both must be right."""
    template = next(each for each in TEMPLATES if each.id == "derivations.greatest_deflection")
    target = make_problems(template, 1, 0, library())[0].targets[0]
    assert judge([target], "theta_m = asin(1/gamma)")[0].exact
    assert judge([target], r"\theta_m = \arccos\frac{\sqrt{\gamma^2 - 1}}{\gamma}")[0].exact
    assert math.isclose(math.atan(1 / math.sqrt(1.4**2 - 1)), math.asin(1 / 1.4))

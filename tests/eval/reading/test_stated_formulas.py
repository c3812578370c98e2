"""Closed forms: how they are read and compared, and that altered ones are wrong."""

import re

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.outcome import judge_targets
from ansatz.eval.problem import NumberTarget, SymbolicTarget
from ansatz.eval.reading.stated_formulas import compare_formula
from ansatz.quantities.parser import parse_formula

LOAD = SymbolicTarget(
    name="a_max",
    weight=1,
    value="V_E**2*sin(gamma_E)/(2*exp(1)*H)",
    symbols=("V_E", "gamma_E", "H"),
    domains={"gamma_E": (0.1, 1.5)},
)
ANGLE = SymbolicTarget(name="theta", weight=1, value="asin(1/M)", symbols=("M",), domains={"M": (1.1, 9.0)})
EPS = SymbolicTarget(name="x", weight=1, value="2*eps", symbols=("eps",))
VALUE = NumberTarget(name="a_p", weight=1, value=133.0, unit="m/s^2")


def right(answer, target=LOAD):
    verdict = judge_targets([target, VALUE], answer)[0]
    assert verdict.unit is None
    assert verdict.credit == float(verdict.exact)
    return verdict.exact


@pytest.mark.parametrize(
    ("answer", "target"),
    [
        *(
            (answer, LOAD)
            for answer in (
                r"$$a_{\max} = \frac{V_E^2 \sin\gamma_E}{2 e H}$$",
                r"\boxed{a_{\max}=\dfrac{V_E^{2}\,\sin \gamma_E}{2\mathrm{e}H}}",
                "a_max = V_E**2*sin(gamma_E)/(2*exp(1)*H) = 133 m/s^2",
                "**a_max = V_E² sin γ_E/(2eH)**",
                "`a_max = V_E**2 * np.sin(gamma_E) / (2 * np.e * H)`",
                r"So a_max(V_E, gamma_E, H) = V_E^2 \sin(\gamma_E)/(2eH), where e is Euler's number.",
                "答案：a_max ＝ V_E^2·sin(γ_E)／(2eH)，a_p ＝ １３３ m/s^2",
                "a_max = math.pow(V_E, 2)*math.sin(gamma_E)/(2*math.e*H)",
                "| Quantity | Result |\n|---|---|\n| a_max | V_E^2 sin(gamma_E)/(2 e H) |\n| a_p | 133 m/s^2 |",
                r"\begin{align} a_{\max} &= \frac{V_E^2\sin\gamma_E}{2H}e^{-1}\\"
                "\n"
                r"&= \frac{V_E^2\sin\gamma_E}{2eH}\end{align}",
                "a_max = V_E^3 sin(gamma_E)/H\nThat was wrong: a_max = V_E^2 sin(gamma_E)/(2eH)",
            )
        ),
        (r"\theta = \sin^{-1}\left(\frac{1}{M}\right)", ANGLE),
        (r"\theta=\arcsin\frac1M", ANGLE),
        (r"\theta = \arctan\frac{1}{\sqrt{M^2-1}}", ANGLE),
        (r"\theta = \frac{\pi}{2} - \arccos\frac{1}{M}", ANGLE),
        (r"x = 2\epsilon", EPS),
        (r"\boxed{2\epsilon}", EPS),
    ],
)
def test_the_same_form_is_right_however_it_is_written(answer, target):
    assert right(answer, target)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        *(
            (f"a_max = {form}", "wrong: .* instead of ")
            for form in (
                "V_E^3 sin(gamma_E)/(2 e H)",
                "-V_E^2 sin(gamma_E)/(2 e H)",
                "V_E^2 cos(gamma_E)/(2 e H)",
                "V_E^2 sin(gamma_E)/(5.4 H)",
                "V_E^2 sin(gamma_E)/(2 e H) + 0.001",
                "1e308*1e308*V_E",
                "V_E^2 sin(gamma_E)/(2eH)\nOn reflection, a_max = V_E^2 sin(gamma_E)/(2H)",
            )
        ),
        ("a_max = beta V_E^2/H", "'beta' is not among the symbols"),
        ("a_max = 133 m/s^2", "no closed form stated"),
        ("a_max = ___ (closed form in V_E, gamma_E, H)", "no closed form stated"),
        ("b_max = V_E^2 sin(gamma_E)/(2 e H)", "no closed form stated"),
        ("a_max = V_E^2 (sin(gamma_E)", "a bracket is not closed"),
        ("a_max = V_E**9**9**9", "a power of "),
        ("", "no closed form stated"),
    ],
)
def test_another_form_is_wrong_and_prose_is_not_a_form(answer, reason):
    verdict = judge_targets([LOAD], answer)[0]
    assert not verdict.exact and re.search(reason, verdict.evidence)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a/2b", "a/(2*b)"),
        ("1/2 a", "a/2"),
        ("ab", "a*b"),
        ("2ab^2", "2*a*b**2"),
        ("sin 2a cos b", "sin(2*a)*cos(b)"),
        ("sin^2 a", "sin(a)**2"),
        ("max(a, b)", "max(a, b)"),
        ("b/ab^2", "b/(a*b**2)"),
        ("sin^-1 a", "asin(a)"),
        ("e^(-a/b)", "exp(-a/b)"),
        ("a^-b^2", "a**(-(b**2))"),
        ("cot a", "1/tan(a)"),
        ("sqrt(a)/2sqrt(b)", "sqrt(a)/(2*sqrt(b))"),
        ("[a + {b - (a)}]", "b"),
        ("(gamma + 1)/(gamma - 1)", "(gamma + 1)/(gamma - 1)"),
    ],
)
def test_products_powers_and_functions_bind_as_intended(text, meaning):
    symbols = ("a", "b", "gamma", "epsilon")
    target = SymbolicTarget(name="x", weight=1, value=meaning, symbols=symbols, domains={"a": (0.1, 0.9)})
    read = parse_formula(text, symbols, products="glued")
    assert compare_formula(read, target)[0], read.text


SYMBOLS = ("V", "rho", "R_n", "k_s")
FORMS = st.recursive(
    st.one_of(st.sampled_from(SYMBOLS), st.integers(1, 9).map(str)),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+*/"), inner).map(
            lambda parts: f"({parts[0]}{parts[1]}{parts[2]})"
        ),
        inner.map(lambda form: f"sqrt({form})"),
        st.tuples(inner, st.integers(2, 3)).map(lambda parts: f"({parts[0]})**{parts[1]}"),
        inner.map(lambda form: f"exp(-{form})"),
    ),
    max_leaves=5,
)


def is_read(form, answer):
    target = SymbolicTarget(name="q", weight=1, value=form, symbols=SYMBOLS)
    return judge_targets([target], f"q = {answer}")[0].exact


def as_expression(form):
    return sympy.sympify(form, {name: sympy.Symbol(name, positive=True) for name in SYMBOLS})


@settings(max_examples=25)
@given(FORMS)
def test_latex_and_rearrangements_by_sympy_are_accepted(form):
    expression = as_expression(form)
    for other in (sympy.latex(expression), str(sympy.expand(expression)), str(sympy.factor(expression))):
        assert is_read(form, other) or not expression.free_symbols, (form, other)


@settings(max_examples=25)
@given(
    FORMS,
    st.sampled_from(
        ["2*({})", "-({})", "({})**2", "({})*V", "({})/rho", "({}) + V", "1.001*({})", "({})**1.01"]
    ),
)
def test_an_altered_factor_sign_exponent_or_term_is_refused(form, change):
    expression = as_expression(form)
    if expression.free_symbols and expression != 1:
        assert not is_read(form, change.format(form))


def test_a_symbol_that_may_be_negative_is_tried_there():
    """The square root of a square is the absolute value, not the symbol."""
    target = SymbolicTarget(name="y", weight=1, value="x", symbols=("x",))
    assert judge_targets([target], "y = sqrt(x^2)")[0].exact
    assert not judge_targets([target.model_copy(update={"domains": {"x": (-2.0, 2.0)}})], "y = sqrt(x^2)")[
        0
    ].exact

"""One equation: its value, its refusals, its sheet."""

import math
import pickle

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from ansatz.errors import EvaluationError, ExpressionError, RegimeWarning
from ansatz.knowledge_base.equation import Equation, Expression, Relation, library
from ansatz.knowledge_base.equation.dimensional_analysis import find_imbalance

SUTTON_GRAVES = {
    "id": "heating.sutton_graves.earth",
    "name": "Sutton-Graves stagnation heating (Earth)",
    "kind": "correlation",
    "domain": "heating",
    "topic": "stagnation_convective",
    "latex": r"\dot q_s = k\sqrt{\rho_\infty/R_n}\,V_\infty^3",
    "output": "q",
    "symbols": {
        "q": {"unit": "W/m**2", "desc": "cold-wall stagnation-point convective heat flux"},
        "rho": {"unit": "kg/m**3", "desc": "free-stream density", "sample": [1e-7, 1.3]},
        "Rn": {"unit": "m", "desc": "effective nose radius", "sample": [1e-3, 10]},
        "V": {
            "unit": "m/s",
            "desc": "free-stream speed",
            "sample": [1000, 14000],
            "valid": {"between": [1000, 14000], "source": "TR R-376"},
        },
    },
    "constants": {"k": {"value": 1.7415e-4, "unit": "kg**0.5/m", "source": "NASA TR R-376"}},
    "expr": "k*sqrt(rho/Rn)*V**3",
    "regime": {
        "require": [{"var": "gas", "in": ["air"]}, {"var": "kn", "lt": 0.01}],
        "prefer": [
            {"var": "speed", "between": [2000, 8000], "unit": "m/s"},
            {"var": "bl_state", "eq": "laminar"},
        ],
    },
    "failure_modes": [{"when": "kn > 0.1", "effect": "overpredicts; exceeds the free-molecular bound"}],
    "tests": [
        {"in": {"rho": 1e-4, "Rn": 1.0, "V": 7000}, "out": 597334.5, "source": "hand"},
        {"in": {"rho": 1e-4, "Rn": 4.0, "V": 7000}, "out": 298667.25, "source": "half of it"},
    ],
    "references": ["NASA TR R-376"],
}
KEPLER = {
    "id": "astro.kepler",
    "name": "Kepler's equation",
    "kind": "law",
    "domain": "astro",
    "topic": "anomalies",
    "latex": r"M = E - e\sin E",
    "output": "E",
    "symbols": {
        "E": {"unit": "rad", "desc": "eccentric anomaly", "sample": [0, 6.2831853]},
        "M": {"unit": "rad", "desc": "mean anomaly", "sample": [0, 6.2831853]},
        "e": {"unit": "-", "desc": "eccentricity", "sample": [0, 0.99]},
    },
    "residual": "E - e*sin(E) - M",
    "solve_for": ["E"],
    "tests": [{"in": {"M": 1.0, "e": 0.0}, "out": 1.0, "source": "circle"}],
    "regime": {"require": [{"var": "ecc", "lt": 1}]},
    "references": ["Vallado, ch. 2"],
}


HEATING, ANOMALY = Equation.model_validate(SUTTON_GRAVES), Equation.model_validate(KEPLER)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"V": "7000 kg"}, "V: .*not a quantity in m/s"),
        ({"V": "7000"}, "V: it needs a unit, such as '7000 m/s'"),
        ({"V": 7000.0}, "V: it needs a unit"),
        ({"V": "fast"}, "V: 'fast' is not a number"),
        ({"v": "7 km/s"}, "has no input 'v'; did you mean 'V'"),
        ({"q": "7 W/m^2"}, "has no input 'q'"),
        ({"V": "nan m/s"}, "V: "),
        ({"rho": "-1 kg/m^3"}, "no (real )?value"),
    ],
)
def test_evaluate_refuses_in_one_line(changed, message):
    given = {"rho": "1e-4 kg/m^3", "Rn": "1 m", "V": "7 km/s"} | changed
    with pytest.raises(EvaluationError, match=message) as refusal:
        HEATING.evaluate(**given)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("unit", "size"), [("K", 1), ("°C", 1), ("degF", 1.8), ("mK", 1000)])
def test_temperature_difference_is_converted_without_offset(unit, size):
    ends = {"dT1": f"{40 * size} {unit}", "dT2": f"{30 * size} {unit}"}
    mean = library().get("cycle.log_mean_temperature_difference").evaluate(**ends)
    assert mean.to("K").magnitude == pytest.approx(34.7606, rel=1e-5)


def test_values_outside_the_regime_warn_or_are_refused():
    fast = {"rho": "1e-4 kg/m^3", "Rn": "1 m", "V": "20 km/s"}
    with pytest.warns(
        RegimeWarning, match="needs 1000 <= V <= 14000 m/s, not V = 20000 .TR R-376."
    ) as warned:
        HEATING.evaluate(**fast)
    with pytest.warns(RegimeWarning, match="not V = 20000") as solved:
        HEATING.solve_for("q", **fast)
    assert {each.filename for each in (*warned, *solved)} == {__file__}
    with pytest.raises(EvaluationError, match="not V = 20000"):
        HEATING.evaluate("refuse", **fast)
    slow = {"regime": {"require": [{"var": "V", "lt": 5, "unit": "km/s"}]}}
    equation = Equation.model_validate(SUTTON_GRAVES | slow)
    with pytest.raises(EvaluationError, match="needs V < 5 km/s, not V = 7"):
        equation.evaluate("refuse", **fast | {"V": "7 km/s"})
    equation.evaluate("refuse", **fast | {"V": "4 km/s"})


SQUARE = SUTTON_GRAVES | {
    "id": "heating.square", "latex": "y = x^2 - 3x", "output": "y", "expr": "x**2 - 3*x", "constants": {},
    "symbols": {"y": {"unit": "-", "desc": "y"}, "x": {"unit": "-", "desc": "x", "sample": [0, 4]}},
    "tests": [{"in": {"x": 4.0}, "out": 4.0, "source": "hand"}], "failure_modes": [],
}  # fmt: skip


def test_branch_selects_one_of_two_roots():
    assert Equation.model_validate(SQUARE).solve("x", y=-2.0) == pytest.approx(1)
    highest = Equation.model_validate(SQUARE | {"branch": "highest"})
    assert highest.solve("x", y=-2.0) == pytest.approx(2)
    with pytest.raises(EvaluationError, match="no solution for x between 0 and 4000"):
        highest.solve("x", y=-9.0)
    gap = {"expr": "(x - 1)*sqrt(abs(x - 1) - 1e-9)"}  # next to the root
    with pytest.raises(EvaluationError, match=r"heating\.square: "):
        Equation.model_validate(SQUARE | gap).solve("x", y=1e-12)


@given(st.sampled_from(["rho", "Rn", "V"]), st.floats(1e-5, 1), st.floats(0.01, 9), st.floats(1001, 13999))
def test_solving_for_an_input_inverts_the_evaluation(symbol, rho, radius, speed):
    inputs = {"rho": rho, "Rn": radius, "V": speed}
    known = inputs | {"q": HEATING.value(**inputs)}
    wanted = known.pop(symbol)
    assert HEATING.solve(symbol, **known) == pytest.approx(wanted, rel=1e-9)


def test_quantities_in_any_unit_are_accepted():
    flux = HEATING.evaluate(rho="0.1 g/m^3", Rn="100 cm", V="7 km/s")
    assert f"{flux:.2f}" == "597334.50 watt / meter ** 2"
    speed = HEATING.solve_for("V", rho="0.1 g/m^3", Rn="100 cm", q="59.73345 W/cm^2")
    assert speed.to("km/s").magnitude == pytest.approx(7)
    with pytest.raises(EvaluationError, match="no solution for V between 1000 and 14000"):
        HEATING.solve_for("V", rho="0.1 g/m^3", Rn="100 cm", q="800 W/cm^2")
    with pytest.raises(EvaluationError, match=r"needs q \[W/m²\], Rn \[m\]"):
        HEATING.solve("V", rho=1.0)
    with pytest.raises(EvaluationError, match="has no symbol 'v'; did you mean 'V'"):
        HEATING.solve_for("v")


@given(st.floats(0, 6.283), st.floats(0, 0.98))
def test_residual_is_solved_on_its_domain(mean, eccentricity):
    anomaly = ANOMALY.value(M=mean, e=eccentricity)
    assert anomaly - eccentricity * math.sin(anomaly) == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize(
    ("expr", "complaint"),
    [
        ("k*sqrt(rho/Rn)*V**2", "q is "),
        ("k*sqrt(rho/Rn)*V**3 + rho", "against"),
        ("k*sqrt(rho/Rn)*V**3*exp(V)", "the argument is"),
        ("k*sqrt(rho)*V**3*Rn**(rho/rho - 1.5)", "to a variable power"),
        ("k*sqrt(rho/Rn)*V**3*2**V", "the exponent V is not dimensionless"),
        ("k*sqrt(rho/max(Rn, V, rho))*V**3", "max(Rn, V, rho): [length] against [length] / [time]"),
    ],
)
def test_unbalanced_formula_is_explained(expr, complaint):
    assert complaint in find_imbalance(Equation.model_validate(SUTTON_GRAVES | {"expr": expr}))


def test_sheet():
    assert HEATING.sheet(1) == (
        "[E1] Sutton-Graves stagnation heating (Earth) (heating.sutton_graves.earth)\n"
        "    q = k*sqrt(rho/Rn)*V**3\n"
        "    where q [W/m²] cold-wall stagnation-point convective heat flux; "
        "rho [kg/m³] free-stream density; Rn [m] effective nose radius; V [m/s] free-stream speed; "
        "k = 1.7415e-4 kg^0.5/m\n"
        "    applies when: gas in {air}; kn < 0.01; 1000 <= V <= 14000 m/s; "
        "best for: 2000 <= speed <= 8000 m/s; bl_state = laminar\n"
        "    do not use when: kn > 0.1 (overpredicts; exceeds the free-molecular bound)"
    )
    assert HEATING.sheet(1, latex=True).splitlines()[2] == rf"    in LaTeX: {SUTTON_GRAVES['latex']}"
    assert HEATING.sheet(conditions=False).splitlines() == [
        line.removeprefix("[E1] ") for line in HEATING.sheet(1).splitlines()[:3]
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"expr": "k*sqrt(rho/Rn)*W**3"}, "unknown symbol 'W'"),
        ({"expr": "k*sqrt(rho/Rn)"}, "not used by the formula: V"),
        ({"expr": "q*k*sqrt(rho/Rn)*V"}, "contains its output"),
        ({"output": "p"}, "output 'p' is not in symbols"),
        ({"residual": "q"}, "either expr or residual"),
        ({"bounds": [{"expr": "q <= x"}]}, "bounds: unknown symbol 'x'"),
        ({"bounds": [{"expr": "q + 1"}]}, "not a comparison"),
        ({"tests": [{"in": {"v": 1}, "out": 1, "source": "x"}]}, "test 1: unknown symbol 'v'; did you mean 'V'"),
        ({"tests": [{"in": {"rho": 1e-4, "Rn": 1}, "out": 1, "source": "x"}]}, "test 1 has no V"),
        ({"tests": []}, "at least 1"),
        ({"kind": "rule"}, "'law', 'correlation'"),
        ({"regime": {"require": [{"var": "kn"}]}}, "give one of lt"),
        ({"regime": {"require": [{"var": "kn", "lt": 0.01, "between": [0, 1]}]}}, "or a lower and an upper limit"),
    ],
)  # fmt: skip
def test_inconsistent_entry_is_refused(change, message):
    with pytest.raises(ValidationError, match=message):
        Equation.model_validate(SUTTON_GRAVES | change)


OUTSIDE = ("__import__('os').system('true')", "[x for x in y]", "x if y else z", "'text'", "x := 1", "sqrt(x, y)", "x % y", "x < y", "x +")  # fmt: skip


@pytest.mark.parametrize("text", OUTSIDE)
def test_text_outside_the_grammar_is_refused(text):
    with pytest.raises(ExpressionError):
        Expression.parse(text)


@settings(max_examples=30)
@given(x=st.floats(0.1, 3), y=st.floats(0.1, 3))
def test_formula_has_the_value_of_sympy(x, y):
    text = "-x**2*exp(-y) + log10(x*y) + max(x, y, 1) - abs(sin(pi*x)) + erf(y)/2**(y - 1) + atan2(x, y)"
    names = {"max": sympy.Max, "abs": sympy.Abs, "log10": lambda each: sympy.log(each, 10)}
    expected = sympy.sympify(text, locals=names).evalf(subs={"x": x, "y": y})
    assert Expression.parse(text)({"x": x, "y": y}) == pytest.approx(float(expected), rel=1e-12, abs=1e-12)


def test_relations_and_used_equations_can_be_pickled():
    chain = pickle.loads(pickle.dumps(Relation.parse("0 <= x < y**2")))
    assert chain.holds({"x": 3, "y": 2}) and not chain.holds({"x": 5, "y": 2})
    assert chain.names == {"x", "y"}
    assert ANOMALY.value(M=1.0, e=0.5) == pickle.loads(pickle.dumps(ANOMALY)).value(M=1.0, e=0.5)


def test_equal_values_violate_a_strict_relation():
    assert not Relation.parse("a < b").holds({"a": 1.0, "b": 1.0})
    assert Relation.parse("a <= b").holds({"a": 1.0 + 1e-12, "b": 1.0})

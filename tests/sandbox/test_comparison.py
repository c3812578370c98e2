"""Symbolic answers are compared where their text cannot do harm, and by their meaning."""

import pytest

from ansatz.sandbox.encoding import EncodingError
from ansatz.sandbox.symbolic_equality import parse


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("x**2 + 2*x + 1", "(x + 1)**2", True),
        ("sin(x)**2 + cos(x)**2", "1", True),
        ("exp(I*x)", "cos(x) + I*sin(x)", True),
        ("sinh(x)", "(exp(x) - exp(-x))/2", True),
        ("gamma(n + 1)", "factorial(n)", True),
        ("pi", "3.14159", False),
        ("x + 1", "x + 1.0001", False),
        ("sqrt(x**2)", "x", False),
        ("log(x*y)", "log(x) + log(y)", False),
        ("1/x", "x", False),
        ("x", "y", False),
        ("2/3", "Rational(2, 3)", True),
    ],
)
async def test_expressions_agree_or_not(best, left, right, same):
    execution = await best.equal(left, right)
    assert (execution.error, execution.value) == (None, same)


@pytest.mark.parametrize("pair", [("sqrt(x**2)", "x"), ("log(x*y)", "log(x) + log(y)")])
async def test_positive_symbols_make_more_things_equal(best, pair):
    assert (await best.equal(*pair, positive=True)).value is True


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "x.__class__",
        "().__class__.__bases__[0].__subclasses__()",
        "[c for c in ()]",
        "lambda: 1",
        "exec('1')",
        "open('f')",
        "'x'",
        "x if y else z",
        "sin(x, evaluate=False)",
        "10**10**10",
        "",
        "x +",
        "(" * 5000,
        "x" * 30_000,
    ],
    ids=lambda text: text[:30],
)
def test_what_is_no_expression_is_refused_without_being_run(text):
    with pytest.raises(EncodingError):
        parse(text)


async def test_two_functions_are_compared_by_their_expressions(best):
    reference = "def answer(m, v): return m * v**2 / 2"
    right = "from sympy import Rational\ndef answer(m, v): return Rational(1, 2) * v * (m * v)"
    wrong = "def answer(m, v): return m * v**2"
    assert (await best.compare(right, reference, "answer", ["m", "v"])).value is True
    assert (await best.compare(wrong, reference, "answer", ["m", "v"])).value is False


async def test_a_function_that_fails_is_reported_as_it_is(best):
    execution = await best.compare("def answer(x): return 1 / 0", "def answer(x): return x", "answer", ["x"])
    assert (execution.status, execution.exception) == ("error", "ZeroDivisionError")


async def test_the_code_never_shares_a_process_with_the_answer(best):
    """Code that reads everything it can reach, its payload included, does not find the other's text."""
    spy = (
        "import gc, sympy\n"
        "def answer(x):\n"
        "    found = any('very_secret_name' in o for o in gc.get_objects() if isinstance(o, dict))\n"
        "    return sympy.Integer(found)"
    )
    execution = await best.compare(spy, "def answer(x, very_secret_name=0): return x * 0", "answer", ["x"])
    assert execution.value is True

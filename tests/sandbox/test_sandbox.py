"""What comes of running code: its value, its output, its failure, in a few well-known forms."""

import math

import pytest

pytestmark = [pytest.mark.xdist_group("sandboxes of every level"), pytest.mark.long]


@pytest.mark.parametrize(
    ("code", "value", "printed"),
    [
        ("6 * 7", 42, "42\n"),
        ("print(6 * 7)", None, "42\n"),
        ("a = 6\nprint('so')\na * 7", 42, "so\n42\n"),
        ("def f(): return 1\nf()", 1, "1\n"),
        ("x = 1", None, ""),
        ("", None, ""),
        ("print('π·ρ')", None, "π·ρ\n"),
        ("import sys; sys.exit()", None, ""),
        ("import sys; sys.argv", ["<code>"], "['<code>']\n"),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nP(3).x", 3, "3\n"),
        (
            "import concurrent.futures as c\nwith c.ThreadPoolExecutor(4) as p: n = sum(p.map(abs, [-1, 2]))\nn",
            3,
            "3\n",
        ),
    ],
)
async def test_a_program_prints_and_its_last_expression_is_its_value(
    anywhere, isolation, code, value, printed
):
    execution = await anywhere.run(code)
    assert (execution.status, execution.value, execution.stdout) == ("ok", value, printed)
    assert execution.isolation == isolation


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np\nfloat(np.linalg.solve(np.eye(2) * 2, np.ones(2)).sum())",
        "import sympy as s\nx = s.Symbol('x')\nfloat(s.integrate(2 * x, (x, 0, 1)))",
        "from scipy.optimize import brentq\nround(brentq(lambda x: x**3 - 1, 0, 5), 9)",
        "import pint\nu = pint.UnitRegistry()\n(1 * u.km).to('m').magnitude / 1000.0",
        "from CoolProp.CoolProp import PropsSI\nround(PropsSI('T', 'P', 101325, 'Q', 0, 'Water') / 373.124, 3)",
    ],
    ids=["numpy", "sympy", "scipy", "pint", "CoolProp"],
)
async def test_usual_libraries_are_available(sandbox, code):
    execution = await sandbox.run(code)
    assert (execution.error, execution.value) == (None, 1.0)


@pytest.mark.parametrize(
    ("code", "exception", "error"),
    [
        ("1 / 0", "ZeroDivisionError", "ZeroDivisionError: division by zero"),
        ("a = (", "SyntaxError", "SyntaxError: '(' was never closed"),
        ("import sys; sys.exit(3)", "SystemExit", "exit status 3"),
        ("import sys; sys.exit('no such root')", "SystemExit", "no such root"),
        ("x = 'a' * 10**11", "MemoryError", "MemoryError"),
        ("import numpy\nnumpy.ones((10**6, 10**6))", "MemoryError", None),
        (
            "def f(n): return f(n + 1)\nf(0)",
            "RecursionError",
            "RecursionError: maximum recursion depth exceeded",
        ),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", "KeyboardInterrupt"),
        ("input()", "EOFError", "EOFError: EOF when reading a line"),
    ],
)
async def test_exception_is_an_outcome_with_type_and_last_line(anywhere, code, exception, error):
    execution = await anywhere.run(code)
    assert (execution.status, execution.exception) == ("error", exception)
    assert error is None or execution.error == error
    assert len(execution.stderr) < 1000  # of a deep recursion too


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import os; os._exit(0)", "bad_result"),
        ("import os; os._exit(7)", "crash"),
        ("import ctypes; ctypes.string_at(0)", "crash"),
        ("import os; os.abort()", "crash"),
        ("while True: print('x' * 10000)", "killed"),
    ],
)
async def test_other_ends_have_separate_statuses(anywhere, code, status):
    execution = await anywhere.run(code)
    assert (execution.status, execution.verdict) == (status, "failed")  # a flood is no want of memory


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("os.close(4)", "crash"),
        ("os.write(4, b'not a result')", "bad_result"),
        ("os.write(4, b'[' * 60_000); os._exit(0)", "bad_result"),
    ],
)
async def test_forged_result_channel_is_no_result(sandbox, code, status):
    assert (await sandbox.run(f"import os; {code}")).status == status


async def test_traceback_shows_only_lines_of_the_code(anywhere):
    code = "import json\ndef read(text):\n    return json.loads(text)\n\nread('[1')"
    execution = await anywhere.run(code)
    assert "    return json.loads(text)\n" in execution.stderr
    assert 'File "<code>", line 5, in <module>' in execution.stderr
    assert "decoder.py" not in execution.stderr


async def test_output_is_truncated_with_a_notice(anywhere):
    execution = await anywhere.run("print('x' * 1_000_000)")
    assert execution.status == "ok"
    assert execution.truncated
    assert execution.stdout.endswith("\n[cut: the first 65536 of 1000001 bytes]")
    assert len(execution.stdout) < 66_000


async def test_each_input_has_an_outcome_with_its_output(best):
    code = (
        "def answer(n):\n    if n == 0: return 1 / n\n    print('so far')\n    while n == 1: pass\n"
        "    if n == 2: return 'a' * 10**11\n    return n"
    )
    outcomes = await best.call(code, "answer", [{"n": n} for n in range(4)])
    assert [each.verdict for each in outcomes] == ["exception", "timeout", "memory", "ok"]
    assert outcomes[3].value == 3
    assert (outcomes[1].stdout, outcomes[1].error) == ("so far\n", "the code ran longer than 5 s")


async def test_values_and_arguments_retain_their_types(best):
    code = "def answer(z, a): return {'z': z * 1j, 'a': a * 2, 'inf': float('inf'), 't': (1, 2)}"
    import numpy

    [execution] = await best.call(code, "answer", [{"z": 1 + 2j, "a": numpy.array([1.5, math.nan])}])
    assert execution.value["z"] == -2 + 1j
    assert numpy.array_equal(execution.value["a"], [3.0, math.nan], equal_nan=True)
    assert execution.value["inf"] == math.inf
    assert execution.value["t"] == (1, 2)


async def test_a_missing_function_is_named(best):
    [execution] = await best.call("x = 1", "answer", [{}])
    assert execution.error == "NameError: the code defines no function 'answer'"


async def test_run_describes_large_values_and_call_refuses_them(best):
    large = "import numpy\n"
    described = await best.run(large + "numpy.zeros(10**6)")
    assert described.status == "ok"
    assert described.value.type == "ndarray"
    [refused] = await best.call(large + "def answer(): return numpy.zeros(10**6)", "answer", [{}])
    assert refused.status == "bad_result"


async def test_usage_is_measured(best):
    execution = await best.run("sum(i * i for i in range(10**6))")
    assert 0 < execution.cpu <= execution.wall * 2 + 1
    assert execution.max_rss > 1e6

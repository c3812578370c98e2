"""Model-written code runs apart, bounded in time, memory and output."""

import pytest

from ansatz.sandbox import SubprocessRunner


async def run(code, **settings):
    return await SubprocessRunner(**settings).run(code)


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(6 * 7)", "42\n"),
        ("a = 6\na * 7", "42\n"),
        ("import numpy; numpy.arange(3).sum()", "3\n"),
        ("def f(): return 1\nf()", "1\n"),
        ("x = 1", ""),
        ("", ""),
        ("print('π·ρ')", "π·ρ\n"),
    ],
)
async def test_what_a_program_prints_comes_back(code, printed):
    execution = await run(code)
    assert (execution.status, execution.stdout, execution.error) == ("ok", printed, None)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("print('so far')\nundefined", "NameError: name 'undefined' is not defined"),
        ("a = (", "SyntaxError: '(' was never closed"),
        ("import sys; sys.exit(3)", "exit status 3"),
        ("x = 'a' * 10**11", "MemoryError"),
    ],
)
async def test_a_failure_is_an_outcome_with_its_last_line(code, error):
    execution = await run(code)
    assert (execution.status, execution.error) == ("error", error)


async def test_what_was_printed_before_a_failure_is_kept():
    assert (await run("print('so far')\n1 / 0")).stdout == "so far\n"


async def test_an_endless_program_is_ended_with_its_children():
    execution = await run("import time\nwhile True: time.sleep(0.01)", timeout_seconds=0.5)
    assert execution.status == "timeout"
    assert execution.wall < 5


async def test_output_is_capped():
    execution = await run("print('x' * 1_000_000)", output_kb=4)
    assert execution.truncated
    assert len(execution.stdout) == 4096


async def test_the_environment_is_clean(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    execution = await run("import os; print(sorted(os.environ))")
    assert "OPENAI" not in execution.stdout

"""Without isolation code still runs apart, and ends with what it started; its outcomes are those of the levels."""

import asyncio

import pytest

from ansatz.sandbox import Sandbox


async def run(code, **settings):
    async with Sandbox(min_isolation="none", **settings) as sandbox:
        return await sandbox.run(code)


async def test_endless_program_is_ended_and_its_output_returned():
    execution = await run("print('so far')\nimport time\nwhile True: time.sleep(0.01)", timeout=1.5)
    assert (execution.status, execution.stdout) == ("timeout", "so far\n")
    assert execution.wall < 5


async def test_the_environment_is_clean(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    execution = await run("import os; print(sorted(os.environ))")
    assert "OPENAI" not in execution.stdout


async def test_functions_are_called_as_in_the_sandbox():
    async with Sandbox(min_isolation="none") as sandbox:
        called = await sandbox.call("def f(x): return 2j * x", "f", [{"x": 1}, {"y": 1}])
        assert [each.value for each in called] == [2j, None]
        assert called[1].exception == "TypeError"


async def test_a_cancelled_call_ends_its_program(tmp_path):
    mark = tmp_path / "mark"
    code = f"import pathlib, time\ntime.sleep(2)\npathlib.Path({str(mark)!r}).touch()"
    async with Sandbox(min_isolation="none") as sandbox:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(sandbox.run(code), 0.3)
        await asyncio.sleep(2.5)
    assert not mark.exists()

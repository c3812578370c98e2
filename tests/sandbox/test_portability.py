"""On a machine without isolation, trusted code runs and untrusted code is refused."""

import asyncio
import json
import os
import re
import stat
import subprocess
import sys

import pytest

from ansatz.errors import SandboxUnavailable
from ansatz.sandbox import Sandbox, docker, isolation, seatbelt, trusting
from ansatz.sandbox.isolation import examine
from ansatz.sandbox.launch import ZYGOTE


@pytest.fixture(params=["Darwin", "Windows"])
def elsewhere(request, monkeypatch):
    """A machine of another system, where no level is reached."""
    found_once = (isolation.reached, seatbelt.find_obstacle, docker.find_obstacle)
    monkeypatch.setattr("platform.system", lambda: request.param)
    for found in found_once:
        found.cache_clear()
    yield request.param
    for found in found_once:
        found.cache_clear()


WAYS = {
    "Darwin": ("Docker", "isolation: seatbelt", "not yet been run through the attack corpus"),
    "Windows": ("WSL 2", "Docker"),
}


def test_other_systems_have_no_level_and_get_a_remedy(elsewhere):
    with pytest.raises(SandboxUnavailable) as caught:
        isolation.require("landlock")
    message = str(caught.value)
    assert "\n" not in message
    for part in (
        "cannot be isolated at level landlock",
        f"it needs Linux, not {elsewhere}",
        *WAYS[elsewhere],
    ):
        assert part in message


def test_doctor_describes_another_system(elsewhere):
    found = examine()
    layers = {layer.name: layer for layer in found.layers}
    assert found.level is None
    assert layers["Linux layers"].missing == f"it needs Linux, not {elsewhere}"
    assert all(part in layers["Linux layers"].remedy for part in WAYS[elsewhere])
    assert ("Seatbelt" in layers) == (elsewhere == "Darwin")


async def test_only_trusted_code_runs_and_trust_ends_with_the_context(elsewhere):
    async with Sandbox() as sandbox:
        with trusting(True):
            assert await sandbox.start() == "none"
            execution = await sandbox.run("print('so')\n6 * 7")
            with trusting(False), pytest.raises(SandboxUnavailable):  # another author within
                await sandbox.run("1")
        assert (execution.value, execution.stdout, execution.isolation) == (42, "so\n42\n", "none")
        with pytest.raises(SandboxUnavailable):
            await sandbox.run("1")


async def test_trust_does_not_extend_to_concurrent_tasks(elsewhere):
    async def attempt(sandbox, is_trusted):
        with trusting(is_trusted):
            await asyncio.sleep(0.01)
            return await sandbox.run("1")

    async with Sandbox() as sandbox:
        found = await asyncio.gather(
            *(attempt(sandbox, number % 2 == 0) for number in range(4)), return_exceptions=True
        )
    assert [type(each).__name__ for each in found] == ["Execution", "SandboxUnavailable"] * 2


async def test_trusted_code_is_isolated_if_possible():
    level = isolation.reached()[0]
    if level is None:
        pytest.skip("no level is reached here")
    async with Sandbox(preload=()) as sandbox:
        with trusting(True):
            assert (await sandbox.run("1")).isolation == level


async def test_docker_on_another_system_is_refused(elsewhere):
    sandbox = Sandbox.shared(place="docker")
    with pytest.raises(SandboxUnavailable, match=f"this is {elsewhere}"):
        sandbox.require()
    with trusting(True):
        assert sandbox.require() == "none"


def test_execution_needs_only_portable_modules(tmp_path):
    result = tmp_path / "result"
    result.touch()
    bounds = {"timeout": 10.0, "memory_mb": 256, "scratch_mb": 64}
    about = json.dumps({"task": "once", "packages": [], "result": str(result), "bounds": bounds})
    program = (
        "import runpy, sys\n"
        "for name in ('fcntl', 'resource', 'pwd', 'grp', 'termios', 'ctypes'): sys.modules[name] = None\n"
        f"sys.argv = ['zygote', {about!r}]\nrunpy.run_path({str(ZYGOTE)!r}, run_name='__main__')"
    )
    payload = json.dumps({"kind": "run", "code": "6 * 7"})
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], input=payload, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n", "")
    assert json.loads(result.read_text()) == {"value": 42}


@pytest.fixture
def sandbox_exec(tmp_path, monkeypatch):
    """Stands in for macOS's command: keeps the profile and starts the program, or runs `body`."""

    def install(body='exec "$@"'):
        command = tmp_path / "sandbox-exec"
        command.write_text(f'#!/bin/sh\nprintf "%s" "$2" > {tmp_path}/profile\nshift 2\n{body}\n')
        command.chmod(command.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(seatbelt, "COMMAND", str(command))
        forget()
        return tmp_path / "profile"

    forget = seatbelt.find_obstacle.cache_clear
    yield install
    forget()


def test_incomplete_seatbelt_is_refused(sandbox_exec):
    sandbox_exec()
    with pytest.raises(
        SandboxUnavailable, match=r"does not refuse reading /etc/passwd, .*starting a process"
    ):
        isolation.require("seatbelt")


def test_seatbelt_that_starts_nothing_is_explained(sandbox_exec):
    sandbox_exec("echo 'sandbox_apply: Operation not permitted' >&2; exit 71")
    with pytest.raises(SandboxUnavailable, match="failed: sandbox_apply: Operation not permitted"):
        isolation.require("seatbelt")


async def test_program_runs_under_a_deny_by_default_profile(sandbox_exec, monkeypatch):
    kept = sandbox_exec()
    monkeypatch.setattr(seatbelt, "find_obstacle", lambda: None)
    async with Sandbox(min_isolation="seatbelt") as sandbox:
        execution = await sandbox.run("6 * 7")
    assert (execution.value, execution.isolation) == (42, "seatbelt")
    profile = kept.read_text()
    assert profile.startswith("(version 1)\n(deny default)\n")
    assert profile.count("(") == profile.count(")")
    for denied in ("network", "process-fork", "mach-lookup", "file-write*"):
        assert denied not in profile
    [written] = re.findall(r"\(allow file-write-data (.*)\)", profile)
    assert re.fullmatch(r'\(literal "/dev/null"\) \(literal ".*/ansatz-run-[^/]*/result"\)', written)
    assert os.path.expanduser("~") not in re.findall(r'\(subpath "([^"]*)"\)', profile)


def test_seatbelt_satisfies_only_its_own_level(elsewhere, sandbox_exec, monkeypatch):
    """The profile has not been attacked, so it is used only if a study names it."""
    sandbox_exec()
    monkeypatch.setattr(seatbelt, "find_obstacle", lambda: None)
    assert isolation.require("seatbelt") == "seatbelt"
    with pytest.raises(SandboxUnavailable):
        isolation.require("filter")

"""The container backend: its command line always, and the whole of it where an engine runs."""

import itertools
import stat
import sys

import pytest

from ansatz.errors import SandboxUnavailable
from ansatz.sandbox import Sandbox
from ansatz.sandbox.docker import DockerLauncher, find_obstacle
from ansatz.sandbox.launch import ZygoteSettings, packages


def test_container_has_no_writable_volumes():
    command = DockerLauncher("some-image").command(
        "name", "/tmp/meeting", ZygoteSettings(("full", "landlock", "filter"))
    )
    before, _, after = " ".join(command).partition(" some-image ")
    for option in (
        "--network none --read-only --tmpfs /work:size=64m,mode=1777,noexec --cap-drop ALL",
        "--security-opt no-new-privileges --pids-limit 64 --memory 768m --user 65534:65534",
    ):
        assert option in before
    volumes = [value for option, value in itertools.pairwise(command) if option == "--volume"]
    assert all(volume.endswith(":ro") for volume in volumes)
    assert {volume.split(":")[0] for volume in volumes} >= {"/tmp/meeting", *packages()}
    assert after.startswith("python -I -B /ansatz-sandbox/zygote.py")


def test_missing_engine_is_reported_in_one_line():
    if find_obstacle() is None:
        pytest.skip("a Docker engine runs here")
    with pytest.raises(SandboxUnavailable, match=r"sandbox: docker.*needs a Docker engine") as caught:
        Sandbox.shared(5.0, 256, "landlock", "docker").require()
    assert "\n" not in str(caught.value)


@pytest.mark.slow
async def test_code_runs_in_a_container():
    if (reason := find_obstacle()) is not None:
        pytest.skip(f"no Docker engine: {reason}")
    runner = Sandbox.shared(20.0, 256, "landlock", "docker")
    execution = await runner.run("import numpy\nint(numpy.arange(7).sum()) * 2")
    assert (execution.error, execution.value) == (None, 42)
    assert execution.isolation.startswith("docker ")
    assert (await runner.run("open('/etc/passwd').read()")).status == "error"
    assert (await runner.run("import socket\nsocket.create_connection(('1.1.1.1', 53), 1)")).status == "error"


ENGINE = """#!{python}
# Stands in for a Docker engine: `run` starts the program on this machine, with the volumes' own paths.
import os, sys
if sys.argv[1] == "info":
    print("1.0")
elif sys.argv[1] == "run" and "missing-image" in sys.argv:
    sys.exit("docker: no such image: missing-image")
elif sys.argv[1] == "run":
    volumes = [value.split(":") for option, value in zip(sys.argv, sys.argv[1:]) if option == "--volume"]
    program = sys.argv[sys.argv.index("some-image") + 1 :]
    for here, there, _ in volumes:
        program = [part.replace(there, here) for part in program]
    os.execv({python!r}, [{python!r}, *program[1:]])
"""


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """A `docker` command whose containers are plain processes: what is left to test is how we meet them."""
    command = tmp_path / "docker"
    command.write_text(ENGINE.format(python=sys.executable))
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    find_obstacle.cache_clear()
    yield
    find_obstacle.cache_clear()


async def test_zygote_connects_through_a_socket_in_a_volume(engine):
    sandbox = Sandbox(preload=(), min_isolation="filter")
    sandbox._launcher = DockerLauncher("some-image")
    async with sandbox:
        execution = await sandbox.run("print('so')\n6 * 7")
    assert (execution.value, execution.stdout, execution.error) == (42, "so\n42\n", None)
    assert execution.isolation.startswith("docker ")


async def test_container_that_does_not_start_is_explained(engine):
    sandbox = Sandbox(preload=(), min_isolation="filter")
    sandbox._launcher = DockerLauncher("missing-image")
    with pytest.raises(SandboxUnavailable, match="the container did not start: docker: no such image"):
        await sandbox.run("1")

"""The container backend: its command line always, and the whole of it where an engine runs."""

import itertools

import pytest

from ansatz.agents.sandbox import SandboxUnavailable, code_runner
from ansatz.agents.sandbox.docker import DockerLauncher, missing
from ansatz.agents.sandbox.launch import ZygoteSettings, packages


def test_the_container_is_confined_and_shown_nothing_writable():
    command = DockerLauncher("some-image").command("name", "/tmp/meeting", ZygoteSettings(("L3", "L2", "L1")))
    before, _, after = " ".join(command).partition(" some-image ")
    for option in (
        "--network none",
        "--read-only",
        "--tmpfs /work:",
        "--cap-drop ALL",
        "--security-opt no-new-privileges",
        "--pids-limit 64",
        "--memory 768m",
        "--user 65534:65534",
    ):
        assert option in before
    volumes = [value for option, value in itertools.pairwise(command) if option == "--volume"]
    assert all(volume.endswith(":ro") for volume in volumes)
    assert {volume.split(":")[0] for volume in volumes} >= {"/tmp/meeting", *packages()}
    assert after.startswith("python -I -B /ansatz-sandbox/zygote.py")


def test_without_an_engine_one_line_says_so():
    if missing() is None:
        pytest.skip("a Docker engine runs here")
    with pytest.raises(SandboxUnavailable, match=r"sandbox: docker.*needs a Docker engine") as caught:
        code_runner("L2", "docker", 5.0, 256)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
async def test_code_runs_in_a_container():
    if (reason := missing()) is not None:
        pytest.skip(f"no Docker engine: {reason}")
    runner = code_runner("L2", "docker", 20.0, 256)
    execution = await runner.run("import numpy\nint(numpy.arange(7).sum()) * 2")
    assert (execution.error, execution.value) == (None, 42)
    assert execution.isolation.startswith("docker L")
    assert (await runner.run("open('/etc/passwd').read()")).status == "error"
    assert (await runner.run("import socket\nsocket.create_connection(('1.1.1.1', 53), 1)")).status == "error"

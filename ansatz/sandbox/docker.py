"""The same zygote in a container, for machines whose kernel offers no layer of ours: `sandbox: docker`.

The container has no network, no writable file but a small /work, no capability and no way to gain one. The
zygote adds whatever layers work inside it. It is reached through a Unix socket, so the engine must run on
this machine and not on another or in a virtual one.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ansatz.errors import SandboxUnavailable
from ansatz.sandbox.launch import ENVIRONMENT, ZYGOTE, Launched, ZygoteSettings, arguments, packages

IMAGE = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
_PATIENCE, _GLANCE = 120.0, 0.2  # seconds
_CONFINED = """
    --rm --init --network none --read-only --tmpfs /work:size=64m,mode=1777,noexec --cap-drop ALL
    --security-opt no-new-privileges --pids-limit 64 --memory 768m --user 65534:65534 --workdir /work
""".split()  # noqa: SIM905 - reads as the command line it is
_FAREWELL = 5.0
_CODE, _MEETING = "/ansatz-sandbox", "/ansatz-socket"


@lru_cache(maxsize=1)
def missing() -> str | None:
    """Why no container of ours can be started here, or None."""
    if platform.system() != "Linux":
        return f"it is reached through a socket of a Linux machine, and this is {platform.system()}"
    if shutil.which("docker") is None:
        return "there is no docker command"
    try:
        asked = subprocess.run(
            ["docker", "info", "--format", "{{.ServerVersion}}"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        return f"docker does not answer: {failure}"
    if asked.returncode != 0 or not asked.stdout.strip():
        return (asked.stderr.strip() or "the engine does not answer").split("\n")[0]
    return None


@dataclass(frozen=True)
class DockerLauncher:
    """Starts zygotes in containers of an image with the same Python version; our packages are shown to it."""

    image: str = IMAGE

    def require_engine(self) -> None:
        """Raises SandboxUnavailable, with the reason, where no container can be started."""
        if (reason := missing()) is not None:
            raise SandboxUnavailable(
                f"`sandbox: docker` needs a Docker engine ({reason}); start one, or set sandbox: local"
            )

    def __call__(self, settings: ZygoteSettings) -> Launched:
        self.require_engine()
        name = f"ansatz-{uuid.uuid4().hex[:12]}"
        with tempfile.TemporaryDirectory(prefix="ansatz-") as folder:
            os.chmod(folder, 0o711)
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as meeting:
                meeting.bind(f"{folder}/control")
                os.chmod(f"{folder}/control", 0o666)  # the container's user is another
                meeting.listen(1)
                process = subprocess.Popen(
                    self.command(name, folder, settings),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
                return Launched(_accept(meeting, process), lambda: _end(name, process), "docker ")

    def command(self, name: str, folder: str, settings: ZygoteSettings) -> list[str]:
        """The whole command line: what is shown to the container is read-only, the socket's folder too."""
        shown = {str(ZYGOTE.parent): _CODE, folder: _MEETING, **{path: path for path in packages()}}
        volumes = [part for here, there in shown.items() for part in ("--volume", f"{here}:{there}:ro")]
        variables = [
            part
            for name, value in ENVIRONMENT.items()
            if name != "PATH"
            for part in ("--env", f"{name}={value}")
        ]
        told = arguments(settings, f"{_MEETING}/control", None)
        interpreter = ["python", "-I", "-B", f"{_CODE}/{Path(ZYGOTE).name}", told]
        return ["docker", "run", "--name", name, *_CONFINED, *volumes, *variables, self.image, *interpreter]


def _accept(meeting: socket.socket, process: subprocess.Popen[bytes]) -> socket.socket:
    """The zygote's call, unless its container ends before it comes, or it never does."""
    meeting.settimeout(_GLANCE)
    deadline = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            control = meeting.accept()[0]
            control.setblocking(True)
            return control
    process.kill()
    said = process.communicate()[1].decode("utf-8", "replace").strip().split("\n")[-1]
    raise SandboxUnavailable(f"the container did not start: {said or 'it never called'}")


def _end(name: str, process: subprocess.Popen[bytes]) -> None:
    """The zygote ends with its socket, and the container with it; if not, the engine is told."""
    try:
        process.communicate(timeout=_FAREWELL)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(["docker", "kill", name], capture_output=True, timeout=30, check=False)
        process.kill()
        process.communicate()

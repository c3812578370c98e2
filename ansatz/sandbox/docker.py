"""The zygote in a container, for machines whose kernel offers none of the layers: `sandbox: docker`.

The container has no network, no capability, no way to gain one, and a small /work as its only writable
folder. The zygote adds the layers that work inside. It is reached through a Unix socket, so the engine must
run on this machine, not on another or in a virtual one.
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
from ansatz.sandbox.launch import ENVIRONMENT, ZYGOTE, Launched, ZygoteSettings, build_argument, packages

IMAGE = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
_START_TIMEOUT, _POLL_INTERVAL = 120.0, 0.2  # seconds
_CONFINED = """
    --rm --init --network none --read-only --tmpfs /work:size=64m,mode=1777,noexec --cap-drop ALL
    --security-opt no-new-privileges --pids-limit 64 --memory 768m --user 65534:65534 --workdir /work
""".split()  # noqa: SIM905 - reads as the command line it is
_EXIT_TIMEOUT = 5.0  # seconds
_CODE, _SOCKET_FOLDER = "/ansatz-sandbox", "/ansatz-socket"


@lru_cache(maxsize=1)
def find_obstacle() -> str | None:
    """Return why no container can be started on this machine, or None."""
    if platform.system() != "Linux":
        return f"it is reached through a socket of a Linux machine, and this is {platform.system()}"
    if shutil.which("docker") is None:
        return "there is no docker command"
    try:
        info = subprocess.run(
            ["docker", "info", "--format", "{{.ServerVersion}}"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        return f"docker does not answer: {failure}"
    if info.returncode != 0 or not info.stdout.strip():
        return (info.stderr.strip() or "the engine does not answer").split("\n")[0]
    return None


@dataclass(frozen=True)
class DockerLauncher:
    """Starts zygotes in containers of an image with the same Python version and this machine's packages."""

    image: str = IMAGE

    def require_engine(self) -> None:
        """Raise SandboxUnavailable, with the reason, if no container can be started."""
        if (reason := find_obstacle()) is not None:
            raise SandboxUnavailable(
                f"`sandbox: docker` needs a Docker engine ({reason}); start one, or set sandbox: local"
            )

    def __call__(self, settings: ZygoteSettings) -> Launched:
        self.require_engine()
        name = f"ansatz-{uuid.uuid4().hex[:12]}"
        with tempfile.TemporaryDirectory(prefix="ansatz-") as folder:
            os.chmod(folder, 0o711)
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
                listener.bind(f"{folder}/control")
                os.chmod(f"{folder}/control", 0o666)  # the container has a different user
                listener.listen(1)
                process = subprocess.Popen(
                    self.command(name, folder, settings),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
                return Launched(_accept(listener, process), lambda: _end(name, process), "docker ")

    def command(self, name: str, folder: str, settings: ZygoteSettings) -> list[str]:
        """Build the command line; all volumes are read-only, including the socket's folder."""
        mounts = {str(ZYGOTE.parent): _CODE, folder: _SOCKET_FOLDER, **{path: path for path in packages()}}
        volumes = [part for here, there in mounts.items() for part in ("--volume", f"{here}:{there}:ro")]
        variables = [
            part
            for name, value in ENVIRONMENT.items()
            if name != "PATH"
            for part in ("--env", f"{name}={value}")
        ]
        argument = build_argument(settings, f"{_SOCKET_FOLDER}/control", None)
        interpreter = ["python", "-I", "-B", f"{_CODE}/{Path(ZYGOTE).name}", argument]
        return ["docker", "run", "--name", name, *_CONFINED, *volumes, *variables, self.image, *interpreter]


def _accept(listener: socket.socket, process: subprocess.Popen[bytes]) -> socket.socket:
    """Wait for the zygote's connection until its container ends or the time is over."""
    listener.settimeout(_POLL_INTERVAL)
    deadline = time.monotonic() + _START_TIMEOUT
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            control = listener.accept()[0]
            control.setblocking(True)
            return control
    process.kill()
    message = process.communicate()[1].decode("utf-8", "replace").strip().split("\n")[-1]
    raise SandboxUnavailable(f"the container did not start: {message or 'it never connected'}")


def _end(name: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the zygote and its container end with the socket; otherwise kill the container."""
    try:
        process.communicate(timeout=_EXIT_TIMEOUT)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(["docker", "kill", name], capture_output=True, timeout=30, check=False)
        process.kill()
        process.communicate()

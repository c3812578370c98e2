"""The command line as a person types it: in this process, where no process of its own is needed."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from ansatz.cli import app, main

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        "ansatz.cli",
        "ansatz.experiments.study",
        "ansatz.experiments.report",
        "ansatz.agents.graph",
        "langchain_openai",
    ]
)


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def ansatz(*arguments: object, text: str | None = None) -> Done:
    """What a command did. An exception that it lets out is one here too."""
    done = CliRunner().invoke(app, [*map(str, arguments)], input=text, catch_exceptions=False)
    return Done(done.exit_code, done.stdout, done.stderr)


def process(*arguments: object, **settings: object) -> subprocess.CompletedProcess[str]:
    """The same as a process, for what only a process has."""
    command = [sys.executable, "-m", "ansatz", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 300}
    return subprocess.run(command, **{**pipes, **settings})  # type: ignore[call-overload, no-any-return]


def begun(*arguments: object) -> BaseProcess:
    """The command begun in a process that may be killed, forked from one that has done the imports."""
    child = _FORKS.Process(target=_main, args=([*map(str, arguments)], dict(os.environ)))
    child.start()
    return child


def _main(arguments: list[str], environment: dict[str, str]) -> None:
    os.environ.update(environment)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.argv = ["ansatz", *arguments]
    main()


def install(folder: Path, project: Mapping[str, Any]) -> None:
    """Leave in a folder of sys.path what pip leaves of a package: its name and its entry points."""
    kept = folder / f"{project['name'].replace('-', '_')}-1.0.dist-info"
    kept.mkdir(parents=True)
    (kept / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    lines = []
    for group, offered in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in offered.items())]
    (kept / "entry_points.txt").write_text("\n".join(lines))


def one_line(done: Done, status: int = 2) -> str:
    """The line that a failed command says."""
    assert done.returncode == status, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr

"""Run the command line in tests, in this process or in a separate one."""

from __future__ import annotations

import io
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer

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


@cache
def build_command() -> Any:
    """Return the command line, which Typer builds from the types of functions in a fifth of a second."""
    return typer.main.get_command(app)


def ansatz(*arguments: object, text: str = "") -> Done:
    """Run a command in this process. An exception that it does not handle is raised."""
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        patch("sys.stdin", io.StringIO(text)),
    ):
        try:
            build_command().main([*map(str, arguments)], prog_name="ansatz")
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
    return Done(status, out.getvalue(), err.getvalue())


def process(*arguments: object, **settings: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a separate process."""
    command = [sys.executable, "-m", "ansatz", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 300}
    return subprocess.run(command, **{**pipes, **settings})  # type: ignore[call-overload, no-any-return]


def start_command(*arguments: object) -> BaseProcess:
    """Start a command in a process that may be killed, forked from one with the imports done."""
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
    """Write the metadata of an installed package, with its entry points, into a folder of sys.path."""
    metadata = folder / f"{project['name'].replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    lines = []
    for group, offered in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in offered.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines))


def one_line(done: Done, status: int = 2) -> str:
    """Return the error message of a failed command, which must be one line."""
    assert done.returncode == status, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr

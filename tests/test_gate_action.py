"""The composite GitHub Action: its script with a fake environment of a runner, and a server that plays GitHub."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from ansatz import RunSummary
from ansatz.experiments.comparing.summary_file import write_summary
from tests.fakes.behaviours import Failure
from tests.fakes.openai_server import OpenAIServer
from tests.test_pytest_plugin import answer, write_repository

ROOT = Path(__file__).parents[1]
ACTION = ROOT / ".github" / "actions" / "gate"
KEY = "sk-the-key-of-this-test"
TOKEN = "ghs_the-token-of-this-test"


class FakeGitHub:
    """Stores comments of a pull request; with `denies`, the token may only read."""

    def __init__(self, denies: bool = False) -> None:
        self.comments: dict[int, str] = {}
        self.denies = denies
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._reply(200, [{"id": id, "body": body} for id, body in outer.comments.items()])

            def do_POST(self) -> None:
                self._write(len(outer.comments) + 1)

            def do_PATCH(self) -> None:
                self._write(int(self.path.rpartition("/")[2]))

            def _write(self, id: int) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
                assert self.headers["Authorization"] == f"Bearer {TOKEN}"
                if not outer.denies:
                    outer.comments[id] = body
                self._reply(403 if outer.denies else 201, {"id": id})

            def _reply(self, status: int, content: object) -> None:
                text = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> FakeGitHub:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Runner:
    """The environment that GitHub gives to the steps of an action."""

    def __init__(self, folder: Path, github: FakeGitHub, *, fork: bool = False, **settings: str) -> None:
        self.folder = folder
        owner = "stranger" if fork else "owner"
        event = {"pull_request": {"number": 7, "head": {"repo": {"full_name": f"{owner}/pumps"}}}}
        (folder / "event.json").write_text(json.dumps(event))
        self.printed = ""
        self._environment = {
            **{
                name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GATE_"))
            },
            "PYTHONPATH": str(ROOT),
            "GITHUB_API_URL": github.url,
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_REPOSITORY": "owner/pumps",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "GITHUB_TOKEN": TOKEN,
            "RUNNER_TEMP": str(folder / "temp"),
            "GATE_STUDY": "study.yaml",
            "GATE_BASELINE": "baseline.json",
            "GATE_COMMAND": f"{sys.executable} -m ansatz",
            "OPENAI_API_KEY": "" if fork else KEY,
            **settings,
        }

    def run(self) -> int:
        """Run the three steps, and return the status of the last."""
        (self.folder / "output").write_text("")
        status = self._step("check")
        assert status == 0, self.printed
        outputs = dict(line.split("=", 1) for line in (self.folder / "output").read_text().splitlines())
        self._environment |= {
            "GATE_STATUS": outputs["status"],
            "GATE_COMMENT": outputs["comment"],
            "GATE_PAGE_URL": "https://example.org/page",
        }
        assert self._step("comment") == 0, self.printed
        return self._step("conclude")

    def _step(self, name: str) -> int:
        command = [sys.executable, str(ACTION / "gate.py"), name]
        done = subprocess.run(
            command, cwd=self.folder, env=self._environment, capture_output=True, text=True, timeout=300
        )
        self.printed += done.stdout + done.stderr
        return done.returncode


def write_baseline(folder: Path) -> None:
    [run] = folder.glob("temp/ansatz-*/run")
    (folder / "baseline.json").write_text(write_summary(RunSummary.of_run(run)))


@pytest.mark.slow
def test_gate_comments_once_and_fails_on_a_regression(tmp_path):
    with OpenAIServer(answer) as server, FakeGitHub() as github:
        write_repository(tmp_path, server, problems=12)
        runner = Runner(tmp_path, github, GATE_MARGIN="outcome=20", GATE_BUDGET="1")
        assert runner.run() == 2  # there is no baseline yet
        assert "baseline.json" in github.comments[1]
        write_baseline(tmp_path)
        asked = len(server.requests)

        assert runner.run() == 0
        assert len(server.requests) == asked  # every reply came from the cache
        assert "Nothing is worse" in github.comments[1]

        write_repository(tmp_path, server, problems=12, prompt="Guess.")
        assert runner.run() == 1
        assert list(github.comments) == [1]  # the same comment, replaced
        assert (
            "**worse, by at least" in github.comments[1] and "https://example.org/page" in github.comments[1]
        )
        assert (tmp_path / "summary.md").read_text().count("ansatz gate") == 3
        assert next(tmp_path.glob("temp/ansatz-gate/page/index.html")).is_file()
        written = runner.printed + github.comments[1] + (tmp_path / "summary.md").read_text()
        assert KEY not in written and TOKEN not in written


def test_a_fork_without_secrets_gets_no_verdict(tmp_path):
    refusal = Failure(401, f"Incorrect API key provided: {KEY}", "invalid_api_key")
    with OpenAIServer(lambda _: refusal) as server, FakeGitHub(denies=True) as github:
        write_repository(tmp_path, server, problems=3)
        runner = Runner(tmp_path, github, fork=True, GATE_UNDECIDED="fail")
        assert runner.run() == 3
        assert "fork" in (tmp_path / "summary.md").read_text() and "::notice::" in runner.printed
        assert not github.comments


def test_steps_are_pinned_and_hold_no_input():
    """Inputs reach the script as environment, so they are never part of a command."""
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert "uses" not in step or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"])

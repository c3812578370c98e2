"""The steps of the gate: `check` runs and compares, `comment` writes to the pull request, `conclude` decides.

All settings come from the environment, so that no input is part of a command. The script needs only Python's
standard library. It removes the values of keys from everything that it prints or writes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

OK, WORSE, ERROR, UNDECIDED = 0, 1, 2, 3
MOST = 60_000  # characters of a comment; GitHub allows 65,536
_KEY = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SHORTEST_KEY = 6  # characters
_FORK = (
    "This pull request comes from a fork, so the workflow has no secrets, and the study could not ask its "
    "model. Nothing was compared. A maintainer can push the branch to this repository to run the gate."
)


_OPTIONS = {
    "--margin": "GATE_MARGIN",
    "--primary": "GATE_PRIMARY",
    "--arm": "GATE_ARMS",
    "--map": "GATE_MAP",
}


def setting(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def hide_keys(text: str) -> str:
    """Replace the values of environment variables that are keys."""
    for name, value in os.environ.items():
        if _KEY.search(name) and len(value) >= _SHORTEST_KEY:
            text = text.replace(value, "***")
    return text


def check() -> int:
    """Run the study, compare it with the baseline, and write comment, summary and outputs."""
    folder = Path(setting("RUNNER_TEMP", ".ansatz")).resolve() / f"ansatz-{_name()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run = folder / "run"
    ran, log = _run_study(run)
    print(hide_keys(log))
    if ran != ERROR and (run / "ledger.sqlite").is_file():  # also a run that its budget stopped
        status, text = _compare(run)
    elif _is_fork():
        status, text = UNDECIDED, _FORK
    else:
        status, text = ERROR, f"The study did not run (status {ran}):\n\n{_block(log)}"
    if status not in (OK, WORSE, UNDECIDED):
        status = ERROR
    page = "" if text == _FORK or status == ERROR else _write_page(run, folder)
    comment = folder / "comment.md"
    text = hide_keys(f"{_marker()}\n{text.strip()}\n")
    comment.write_text(text if len(text) <= MOST else f"{text[:MOST]}\n…\n", encoding="utf-8")
    _append("GITHUB_STEP_SUMMARY", comment.read_text(encoding="utf-8"))
    _append("GITHUB_OUTPUT", f"status={status}\ncomment={comment}\npage={page}\n")
    return OK


def _run_study(run: Path) -> tuple[int, str]:
    cache = Path(setting("GATE_CACHE", ".ansatz/replies")).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    options = ["--out", str(run), "--set", f"cache={json.dumps(str(cache))}"]
    if budget := setting("GATE_BUDGET"):
        options += ["--max-cost", budget]
    return _ansatz("run", setting("GATE_STUDY"), *options)


def _compare(run: Path) -> tuple[int, str]:
    """Return the exit status of the comparison and the text of the comment."""
    options = ["--markdown"]
    for option, name in _OPTIONS.items():
        for value in setting(name).split():
            options += [option, value]
    status, text = _ansatz("compare", setting("GATE_BASELINE"), str(run), *options)
    if status in (OK, WORSE, UNDECIDED) and text.lstrip().startswith("#"):
        return status, text
    return ERROR, f"The comparison failed:\n\n{_block(text)}"


def _write_page(run: Path, folder: Path) -> str:
    status, text = _ansatz("view", setting("GATE_BASELINE"), str(run), "--out", str(folder / "page"))
    if status != OK:
        print(hide_keys(text))
        return ""
    return str(folder / "page")


def _ansatz(*arguments: str) -> tuple[int, str]:
    command = [*setting("GATE_COMMAND", "ansatz").split(), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def _block(text: str) -> str:
    lines = text.strip().splitlines()[-20:]
    return "\n".join(f"    {line}" for line in lines)


def _event() -> dict:
    path = setting("GITHUB_EVENT_PATH")
    return json.loads(Path(path).read_text(encoding="utf-8")) if path and Path(path).is_file() else {}


def _is_fork() -> bool:
    head = (_event().get("pull_request") or {}).get("head") or {}
    name = (head.get("repo") or {}).get("full_name")
    return bool(head) and name != setting("GITHUB_REPOSITORY")


def _name() -> str:
    """Return the name of the gate, safe for a file and a comment."""
    return re.sub(r"[^\w.-]", "_", setting("GATE_NAME", "gate"))


def _marker() -> str:
    """Return the line by which a later run finds its comment. Markdown does not show it."""
    return f"<!-- ansatz {_name()} -->"


def _append(variable: str, text: str) -> None:
    if path := setting(variable):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


def comment() -> int:
    """Write the comment of this gate, or replace its earlier one. Without permission, only say so."""
    number = (_event().get("pull_request") or {}).get("number")
    path = Path(setting("GATE_COMMENT", "/nonexistent"))
    if number is None or not path.is_file():
        print("There is no pull request to comment on.")
        return OK
    text = path.read_text(encoding="utf-8")
    if page := setting("GATE_PAGE_URL"):
        text += f"\n[The page of the comparison]({page}) has every answer.\n"
    issues = f"repos/{setting('GITHUB_REPOSITORY')}/issues"
    try:
        earlier = _find_comment(f"{issues}/{number}/comments")
        if earlier is None:
            _request("POST", f"{issues}/{number}/comments", {"body": text})
        else:
            _request("PATCH", f"{issues}/comments/{earlier}", {"body": text})
    except urllib.error.HTTPError as failure:
        if failure.code not in (401, 403, 404):
            raise
        print(
            f"::notice::The comment was not written ({failure.code}): the token may not write to pull "
            "requests, as in a pull request from a fork. The step summary has the verdict."
        )
    return OK


def _find_comment(issue: str) -> int | None:
    for page in range(1, 51):
        found = _request("GET", f"{issue}?per_page=100&page={page}")
        for each in found:
            if str(each.get("body", "")).startswith(_marker()):
                return int(each["id"])
        if len(found) < 100:
            return None
    return None


def _request(method: str, path: str, content: dict | None = None) -> list | dict:
    request = urllib.request.Request(
        f"{setting('GITHUB_API_URL', 'https://api.github.com')}/{path}",
        method=method,
        data=None if content is None else json.dumps(content).encode(),
        headers={
            "Authorization": f"Bearer {setting('GITHUB_TOKEN')}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.loads(reply.read())


def conclude() -> int:
    """Return the exit status of the gate, with an annotation."""
    status = int(setting("GATE_STATUS", str(ERROR)))
    if status == OK:
        print("Nothing is worse.")
    elif status == WORSE:
        print("::error::The study is worse than its baseline; the step summary has the table.")
    elif status == UNDECIDED:
        fails = setting("GATE_UNDECIDED", "warn") == "fail"
        print(f"::{'error' if fails else 'warning'}::The data cannot tell whether the study is worse.")
        return UNDECIDED if fails else OK
    else:
        print("::error::The study or the comparison failed; the step summary has the reason.")
    return status


if __name__ == "__main__":
    sys.exit({"check": check, "comment": comment, "conclude": conclude}[sys.argv[1]]())

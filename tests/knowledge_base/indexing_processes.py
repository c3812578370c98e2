"""Index a handbook in processes that are killed, or that run at the same time, and print what is left as JSON.

    python -m tests.knowledge_base.indexing_processes FOLDER kill MOST
    python -m tests.knowledge_base.indexing_processes FOLDER together

This process imports all that the others need, and forks. It never runs FAISS itself, whose threads a fork would lose.
"""

import json
import os
import shutil
import signal
import sys
from functools import partial
from itertools import count
from pathlib import Path

import faiss  # noqa: F401
import markdown_it  # noqa: F401
import numpy as np
import snowballstemmer  # noqa: F401

from ansatz.knowledge_base.handbook import Handbook, handbook, index_handbook

ENCODER = "tests.knowledge_base.indexing_processes:LetterCounts"
FILE_EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "tests.encode"}
ROUNDS = 4
VERSIONS = ["old", "new"]


class LetterCounts:
    def encode(self, texts):
        sys.audit("tests.encode", "encode", len(texts))
        return np.array([[1 + text.count(each) for each in "abcdefghij"] for text in texts], dtype=float)


def write_documents(folder):
    """Write two versions of a handbook: in the second, a file is edited, one removed and one added."""
    for version, names in (("old", "abcd"), ("new", "abde")):
        (folder / version).mkdir()
        for name in names:
            edit = f" Edited: {name * 9}." if version == "new" and name == "b" else ""
            parts = (f"# Part {n}\n\nThe {name * n} has a mass of {n} kg.{edit}\n" for n in range(2, 5))
            (folder / version / f"{name}.md").write_text("\n".join(parts), encoding="utf-8")


def fork(action):
    """Start a process, and return a function that waits for its result; it is None if it was killed."""
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            result = action()
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        os.write(writer, json.dumps(result).encode())
        os._exit(0)
    os.close(writer)

    def wait():
        with open(reader, encoding="utf-8") as file:
            written = file.read()
        os.waitpid(pid, 0)
        return json.loads(written) if written else None

    return wait


def index(documents, out, kill_at=0):
    """Index, be killed at a file operation or an encoding, and return the digest and the numbers of both."""
    events, encoded = count(1), []

    def watch(event, values):
        if event in FILE_EVENTS and (str(out) in str(values[0]) or event == "tests.encode"):
            encoded.append(values[1] if event == "tests.encode" else 0)
            if next(events) == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    found, _ = index_handbook(documents, out, ENCODER)
    return {"digest": found.digest, "events": len(encoded), "encoded": sum(encoded)}


def read(out):
    """Return the digest of a stored index, or None without one; check that it has its vectors."""
    if not (out / "index.json").exists():
        return None
    found = Handbook.load(out)
    assert found.index.search("Which mass has the part?", 1)[0].nearness > 0
    return found.digest


def index_whole(home):
    """Index each version on its own, and return the results by version."""
    return {each: fork(partial(index, home / each, home / f"whole-{each}"))() for each in VERSIONS}


def kill_everywhere(home, most):
    """Kill the indexing of each version at `most` of its events; then read the index, and index again."""
    handbook._PART = 4
    whole = index_whole(home)
    rows = []
    for version in VERSIONS:
        events = whole[version]["events"]
        for point in np.unique(np.linspace(1, events, min(most, events)).astype(int)).tolist():
            out = home / f"{version}-{point}"
            if version == "new":
                shutil.copytree(home / "whole-old", out)
            killed = fork(partial(index, home / version, out, point))() is None
            left = fork(partial(continue_indexing, home / version, out))()
            names = len(list(out.iterdir()))
            rows.append({"version": version, "point": point, "killed": killed, "left": left, "names": names})
    return {"whole": whole, "rows": rows}


def continue_indexing(documents, out):
    """Read what a killed process left, index again, and read again."""
    before = read(out)
    return {"before": before, **index(documents, out), "after": read(out)}


def run_together(home):
    """Let two processes index two versions in turn into one folder, while a third one reads."""
    out, done = home / "index", home / "done"
    whole = index_whole(home)

    def write(versions):
        for each in versions * ROUNDS:
            found = index(home / each, out)
            assert found["digest"] == whole[each]["digest"]
        return "complete"

    def read_on():
        found = set()
        while not done.exists():
            found.add(str(read(out)))
        return sorted(found - {"None"})

    writers, reader = [fork(lambda: write(VERSIONS)), fork(lambda: write(VERSIONS[::-1]))], fork(read_on)
    results = [wait() for wait in writers]
    done.touch()
    return {"whole": whole, "writers": results, "read": reader(), "names": len(list(out.iterdir()))}


def main(folder, command, most="0"):
    home = Path(folder)
    write_documents(home)
    print(json.dumps(kill_everywhere(home, int(most)) if command == "kill" else run_together(home)))


if __name__ == "__main__":
    main(*sys.argv[1:])

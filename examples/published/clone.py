"""Read files of a published repository at one commit. Nothing of it is executed."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any


class MissingFile(Exception):
    """A file that the clone does not have at this commit."""


@dataclass(frozen=True)
class Clone:
    """A git repository on disk, as `git clone` or `git clone --mirror` makes it."""

    folder: Path
    commit: str

    @cached_property
    def _files(self) -> dict[str, str]:
        """The content's hash by path."""
        try:
            listed = self._git("ls-tree", "-r", "-z", self.commit).decode()
        except subprocess.CalledProcessError:
            raise MissingFile(f"{self.folder} is no clone with the commit {self.commit[:8]}") from None
        rows = (line.split("\t", 1) for line in listed.split("\0") if line)
        return {path: about.split()[2] for about, path in rows}

    def list(self, prefix: str, suffix: str = "") -> list[str]:
        """Return the paths that begin and end so, in their order."""
        return [path for path in self._files if path.startswith(prefix) and path.endswith(suffix)]

    @cached_property
    def _reader(self) -> subprocess.Popen[bytes]:
        """One process of git that returns contents by their hashes."""
        command = ["git", "-C", str(self.folder), "cat-file", "--batch"]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, path: str) -> bytes:
        """Return a file. Raises MissingFile."""
        if path in self._files:
            asked, given = self._reader.stdin, self._reader.stdout
            assert asked is not None and given is not None
            asked.write(f"{self._files[path]}\n".encode())
            asked.flush()
            *_, size = given.readline().split()
            if size.isdigit():
                return given.read(int(size) + 1)[:-1]
        raise MissingFile(f"{self.folder} has no {path} at {self.commit[:8]}")

    def close(self) -> None:
        if "_reader" in vars(self):
            self._reader.communicate()

    def text(self, path: str) -> str:
        return self.read(path).decode("utf-8", "replace")

    def json(self, path: str) -> Any:
        return json.loads(self.read(path))

    def json_lines(self, path: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text(path).splitlines() if line.strip()]

    def _git(self, *arguments: str) -> bytes:
        done = subprocess.run(["git", "-C", self.folder, *arguments], capture_output=True, check=True)
        return done.stdout

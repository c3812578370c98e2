"""`ansatz new`: a study of one's own to begin with, which runs as it stands."""

from __future__ import annotations

from pathlib import Path

from ansatz.errors import AnsatzError

STARTER = Path(__file__).with_name("starter")
FILES = ("README.md", "study.yaml", "problems.jsonl", "tool.py", "retriever.py")


class OccupiedFolder(AnsatzError, ValueError):
    """The folder holds files already."""


def start_study(folder: Path) -> Path:
    """Write the files of a study into a new or empty folder. Raises OccupiedFolder where it is neither.

    The study is named after the folder, as far as a name can be.
    """
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise OccupiedFolder(f"{folder} is not empty; name a folder that does not exist yet")
    folder.mkdir(parents=True, exist_ok=True)
    name = "-".join("".join(c if c.isalnum() else " " for c in folder.resolve().name).split()) or "my-study"
    for each in FILES:
        text = (STARTER / each).read_text(encoding="utf-8").replace("my-study", name)
        (folder / each).write_text(text, encoding="utf-8")
    return folder / "study.yaml"

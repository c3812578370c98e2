"""What curation keeps on disk: source texts, and a file for each stage that a human may edit."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, model_validator

from ansatz.eval.benchmarks.apbench.curate.stages import Item, Stage
from ansatz.eval.benchmarks.validation import InvalidData, faulty_fields, read_json

LONGEST = 100_000
"""Characters of a source: longer ones do not fit many models, and are better cut at a chapter."""


def read_sources(paths: Sequence[Path]) -> list[Item]:
    """Text files as items. Raises InvalidData with one line for every file that cannot be used."""
    names = [re.sub(r"[^A-Za-z0-9]+", "-", path.stem).strip("-").lower() or "source" for path in paths]
    items: list[Item] = []
    lines: list[str] = []
    for path, name in zip(paths, names, strict=True):
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            lines.append(f"{path}: is not text; convert it first (a PDF with pdftotext -layout, say)")
        except OSError as error:
            lines.append(f"{path}: cannot be read: {error.strerror}")
        else:
            if names.count(name) > 1:
                lines.append(f"{path}: another source is called {name} too; rename one")
            elif not text.strip():
                lines.append(f"{path}: is empty")
            elif len(text) > LONGEST:
                lines.append(f"{path}: has {len(text):,} characters, at most {LONGEST:,} will do; cut it up")
            else:
                items.append({"id": name, "source": name, "text": text})
    if lines:
        raise InvalidData("\n".join(lines))
    return items


class Entry(BaseModel):
    """What a stage made of the item with this id, whose content hashes to `of`; or why it made nothing."""

    model_config = ConfigDict(extra="forbid")

    id: str
    of: str
    made: list[Item] | None = None
    fault: str = ""

    @model_validator(mode="after")
    def _has_one(self) -> Entry:
        if self.made is None and not self.fault:
            raise ValueError("needs `made`, a list of items, or a `fault`")
        return self


class StageFile:
    """The entries of a stage, perhaps edited, by the id of their item. The file is written after each change.

    Entries of items that are not in this run stay where they are; those of items that have changed since go
    to `replaced.jsonl`, and those at fault are left out, so that both are made anew.
    """

    def __init__(self, folder: Path, stage: Stage, items: Sequence[Item]) -> None:
        """Raises InvalidData for a file that was edited badly."""
        self._path = folder / stage.file_name
        digests = {item["id"]: digest(item) for item in items}
        self.entries: dict[str, Entry | None] = dict.fromkeys(digests)  # in the order of the items
        for entry in _read(self._path, stage):
            if digests.get(entry.id, entry.of) != entry.of:
                with (folder / "replaced.jsonl").open("a", encoding="utf-8") as file:
                    line = {"stage": stage.file_name, **_fields(entry)}
                    file.write(f"{json.dumps(line, ensure_ascii=False)}\n")
            elif not entry.fault or entry.id not in digests:
                self.entries[entry.id] = entry

    def keep(self, entry: Entry) -> None:
        self.entries[entry.id] = entry
        write_json(self._path, [_fields(each) for each in self.entries.values() if each])


def _fields(entry: Entry) -> dict[str, Any]:
    return entry.model_dump(exclude_defaults=True)


def _read(path: Path, stage: Stage) -> list[Entry]:
    """Nothing where there is no file. Raises InvalidData with a line for each thing that is wrong."""
    if not path.exists():
        return []
    try:
        entries = TypeAdapter(list[Entry]).validate_python(read_json(path))
    except ValidationError as error:
        raise InvalidData(
            "\n".join(f"{path}: {fault}" for fault in faulty_fields(error, list[Entry]))
        ) from None
    wanted = ("id", "source", *stage.keeps, *stage.writes)
    lines = [
        f"{path}: [{place}].made[{at}].{name}: is missing"
        for place, entry in enumerate(entries)
        for at, item in enumerate(entry.made or ())
        for name in wanted
        if name not in item
    ]
    if lines:
        raise InvalidData("\n".join(lines))
    return entries


def digest(item: Mapping[str, str]) -> str:
    """A short hash of an item's content."""
    return hashlib.sha256(json.dumps(item, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def write_json(path: Path, content: Any) -> None:
    """Whole or not at all."""
    unfinished = path.with_name(f".{path.name}")
    unfinished.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(path)

"""What curation keeps on disk: sources, stage files, and every reply that was paid for."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    convert_to_openai_messages,
    messages_from_dict,
    messages_to_dict,
)
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import ModelClient
from ansatz.eval.benchmarks.apbench.curate.stages import Item, Stage
from ansatz.eval.benchmarks.validation import InvalidData

LONGEST = 100_000
"""Characters of a source: longer ones do not fit many models, and are better cut at a chapter."""


def read_sources(paths: Sequence[Path]) -> list[Item]:
    """Text files as items. Raises InvalidData with one line for every file that cannot be used."""
    items: list[Item] = []
    lines: list[str] = []
    names = [_slug(path) for path in paths]
    for path, name in zip(paths, names, strict=True):
        if names.count(name) > 1:
            lines.append(f"{path}: another source is called {name} too; rename one")
            continue
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            lines.append(f"{path}: no such file")
        except UnicodeDecodeError:
            lines.append(f"{path}: is not text; convert it first (a PDF with pdftotext -layout, say)")
        except OSError as error:
            lines.append(f"{path}: cannot be read: {error.strerror}")
        else:
            if not text.strip():
                lines.append(f"{path}: is empty")
            elif len(text) > LONGEST:
                lines.append(f"{path}: has {len(text):,} characters, at most {LONGEST:,} will do; cut it up")
            else:
                items.append({"id": name, "source": name, "text": text})
    if lines:
        raise InvalidData("\n".join(lines))
    return items


def _slug(path: Path) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", path.stem).strip("-").lower() or "source"


def digest(item: Mapping[str, str]) -> str:
    """A short hash of an item's content."""
    return hashlib.sha256(json.dumps(item, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def write_json(path: Path, content: Any) -> None:
    """Whole or not at all."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(path)


def read_entries(path: Path, stage: Stage) -> list[dict[str, Any]]:
    """The entries of a stage file, perhaps edited; none where there is no file. Raises InvalidData."""
    if not path.exists():
        return []
    try:
        entries = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        place = f"{path}:{error.lineno}" if isinstance(error, json.JSONDecodeError) else str(path)
        raise InvalidData(f"{place}: not JSON: {error}; mend it, or delete the file") from None
    if not isinstance(entries, list):
        raise InvalidData(f"{path}: must be a list of entries")
    lines = [f"{path}: [{at}]{fault}" for at, entry in enumerate(entries) if (fault := _fault(entry, stage))]
    if lines:
        raise InvalidData("\n".join(lines))
    return entries


def standing(entry: dict[str, Any] | None, item: Item) -> dict[str, Any] | None:
    """An entry that needs not be made again: without a fault, and of an item that is still the same."""
    if entry is None or entry.get("fault") or entry["of"] != digest(item):
        return None
    return entry


def write_stage(
    path: Path, held: Mapping[str, dict[str, Any]], entries: Mapping[str, dict[str, Any] | None]
) -> None:
    """Write a stage's entries, so that none of those `held` before is lost."""
    made = {id: entry for id, entry in entries.items() if entry}
    replaced = [held[id] for id, entry in made.items() if id in held and held[id]["of"] != entry["of"]]
    if replaced:
        with (path.parent / "replaced.jsonl").open("a", encoding="utf-8") as file:
            for entry in replaced:
                line = json.dumps({"stage": path.name, **entry}, ensure_ascii=False)
                file.write(f"{line}\n")
    write_json(path, [*made.values(), *(entry for id, entry in held.items() if id not in made)])


def _fault(entry: Any, stage: Stage) -> str:
    """What is wrong with an entry; empty where nothing is."""
    if not isinstance(entry, Mapping) or not all(isinstance(entry.get(name), str) for name in ("id", "of")):
        return ": must be an object with `id` and `of`"
    if entry.get("fault"):
        return ""
    made = entry.get("made")
    if not isinstance(made, list):
        return ".made: must be a list"
    wanted = ("id", "source", *stage.keeps, *stage.writes, *(["passage"] if stage.name == "examples" else []))
    for at, item in enumerate(made):
        for name in wanted:
            if not isinstance(item, Mapping) or not isinstance(item.get(name), str):
                return f".made[{at}].{name}: must be text"
    return ""


@dataclass
class Replies:
    """Replies by the hash of their request, appended to `replies.jsonl` before anybody sees them."""

    known: dict[str, AIMessage]
    file: IO[str]

    @classmethod
    def open(cls, folder: Path) -> Replies:
        path = folder / "replies.jsonl"
        known: dict[str, AIMessage] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                kept = json.loads(line)
                request, data = kept["request"], kept["message"]
                message = messages_from_dict([data])[0] if data else None
            except (ValueError, KeyError):  # the last line of a run that was killed while it wrote
                continue
            known.pop(request, None)  # an earlier reply that was forgotten
            if isinstance(message, AIMessage):
                known[request] = message
        file = path.open("a", encoding="utf-8")
        if file.tell() and not path.read_bytes().endswith(b"\n"):
            file.write("\n")
        return cls(known, file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    async def reply(self, client: ModelClient, messages: Sequence[BaseMessage], tool: BaseTool) -> AIMessage:
        """A kept reply, or a new one that is then kept."""
        request = _key(client, messages, tool)
        if request not in self.known:
            reply = await client.reply(messages, [tool])
            self._write(request, messages_to_dict([reply.message])[0])
            self.known[request] = reply.message
        return self.known[request]

    def forget(self, client: ModelClient, messages: Sequence[BaseMessage], tool: BaseTool) -> None:
        """Ask again next time."""
        request = _key(client, messages, tool)
        if self.known.pop(request, None) is not None:
            self._write(request, None)

    def _write(self, request: str, message: dict[str, Any] | None) -> None:
        line = json.dumps({"request": request, "message": message}, ensure_ascii=False)
        self.file.write(f"{line}\n")
        self.file.flush()


def _key(client: ModelClient, messages: Sequence[BaseMessage], tool: BaseTool) -> str:
    content = [client.identity, convert_to_openai_messages(list(messages)), convert_to_openai_tool(tool)]
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()

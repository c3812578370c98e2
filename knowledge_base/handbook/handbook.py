"""A handbook as an index of its passages, in memory and in a folder."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ansatz.errors import InvalidData
from ansatz.knowledge_base.equation.entry_cache import get_cache_folder
from ansatz.knowledge_base.handbook.reading import (
    SourceFile,
    find_macros,
    find_sources,
    list_included_files,
    read_source,
)
from ansatz.knowledge_base.handbook.splitting import Passage, split_document
from ansatz.knowledge_base.search.encoders import DEFAULT, Encoder, OnProgress
from ansatz.knowledge_base.search.index import Changes, Document, Index
from ansatz.knowledge_base.search.index_folder import has_state, lock_index, read_manifest

_log = logging.getLogger(__name__)
_PARTIAL = ".partial"  # in the folder of an index: what a run has encoded so far
_PART = 512  # passages between two partial indexes
_READER = 4
"""Increase it when files are read or split in another way: all files are then read again."""


@dataclass(frozen=True)
class FileSummary:
    """What an index has of one file."""

    file: str
    sections: int
    passages: int
    words: int
    last_page: int | None


class Handbook:
    """The passages of a handbook, with an index of them."""

    def __init__(self, index: Index):
        self._index = index

    @property
    def index(self) -> Index:
        """The passages by words and meaning."""
        return self._index

    @cached_property
    def digest(self) -> str:
        """The hash of all passages with their places; it does not depend on the encoder."""
        return hash_passages(row for _, row in self._index.items())

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """All passages, file by file, in reading order."""
        rows = sorted((row for _, row in self._index.items()), key=lambda row: (row["file"], row["place"]))
        return tuple(map(make_passage, rows))

    @cached_property
    def files(self) -> list[FileSummary]:
        """A summary of each file."""
        by_file: dict[str, list[Passage]] = defaultdict(list)
        for passage in self.passages:
            by_file[passage.file].append(passage)
        return [
            FileSummary(
                file=file,
                sections=len({passage.section for passage in passages}),
                passages=len(passages),
                words=sum(len(passage.text.split()) for passage in passages),
                last_page=max((passage.page for passage in passages if passage.page), default=None),
            )
            for file, passages in by_file.items()
        ]

    @classmethod
    def load(cls, folder: Path, encoder: Encoder | None = None) -> Handbook:
        """Read a stored index. Raises InvalidData."""
        index = Index.load(folder, encoder)
        if "place" not in next((row for _, row in index.items()), {}):
            raise InvalidData(f"{folder}: is an index, but not of a handbook")
        return cls(index)


def index_handbook(
    path: Path,
    out: Path | None = None,
    encoder: str | Encoder | None = DEFAULT,
    on_progress: OnProgress | None = None,
    exclude: Sequence[str] = (),
) -> tuple[Handbook, Changes]:
    """Index a file or a folder of documents.

    Args:
        path: A PDF, Markdown, HTML, text or LaTeX file, or a folder of them.
        out: The folder of the index. If it has one, only changed files are read and only changed passages
            encoded. Without it, the index is in memory.
        encoder: The name of an encoder, an `Encoder`, or None to search by words only.
        on_progress: Is called with the work, the number of items done, and the number of all items.
        exclude: Patterns of files to leave out, such as "figures/*", relative to the folder.

    Returns:
        The handbook and what changed in its index.

    Raises:
        InvalidData: A file cannot be read, with one line for each; a stored index stays as it was.
    """
    index = Index(encoder)
    if out is None:
        documents = _flatten(_read_all(path, {}, on_progress, exclude))
        return Handbook(index), index.update(documents, on_progress)
    read: dict[str, list[Document]] = {}
    if not out.exists():  # a file that cannot be read leaves no empty folder
        read = _read_all(path, {}, on_progress, exclude)
    with lock_index(out):
        index = _open_index(out, index, encoder)
        documents = _flatten(_read_all(path, read | _group_by_source(index.items()), on_progress, exclude))
        changes = _update(index, documents, out / _PARTIAL, on_progress)
        index.save(out)
        shutil.rmtree(out / _PARTIAL, ignore_errors=True)
    return Handbook(index), changes


def hash_documents(path: Path, out: Path) -> str:
    """Return the `Handbook.digest` of documents without indexing them. Raises InvalidData.

    Args:
        path: A file or a folder of documents.
        out: Where their index is or will be; files that it has are not read again.
    """
    stored = _group_by_source(Index.load(out).items()) if is_index(out) else {}
    return hash_passages(each.data for each in _flatten(_read_all(path, stored, None)))


def hash_passages(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the hash of passages, given the data of an index, in any order."""
    hashed = hashlib.sha256()
    for row in sorted([row["file"], row["place"], row["section"], row["page"], row["text"]] for row in rows):
        hashed.update(json.dumps(row).encode())
    return hashed.hexdigest()


def find_cached_index(path: Path, encoder: str) -> Path:
    """Return where the user's cache folder has or will have the index of documents."""
    name = hashlib.sha256(f"{path.resolve()}\n{encoder}".encode()).hexdigest()[:16]
    return get_cache_folder() / "handbooks" / name


def is_index(folder: Path) -> bool:
    """Whether a folder has an index of this version."""
    try:
        return bool(read_manifest(folder))
    except InvalidData:
        return False


def make_passage(row: Any) -> Passage:
    """Return the passage that the data of an index describe."""
    return Passage(row["file"], row["section"], row["page"], row["text"])


def _open_index(out: Path, new: Index, encoder: str | Encoder | None) -> Index:
    """Return the index in a folder if this version wrote it with the encoder, else the new one.

    Raises:
        InvalidData: The folder has other files.
    """
    for folder in (out / _PARTIAL, out):
        if is_index(folder) and read_manifest(folder)["encoder"] == new.encoder_name:
            return Index.load(folder, None if isinstance(encoder, str) else encoder)
    if not has_state(out) and any(not each.name.startswith(".") for each in out.iterdir()):
        raise InvalidData(f"{out}: has other files; name a new folder for the index")
    return new


def _update(
    index: Index, documents: Sequence[Document], partial: Path, on_progress: OnProgress | None
) -> Changes:
    """Make these the documents of the index, and save a partial index from time to time.

    If the process is killed, the next one continues from the partial index.
    """
    parts = [documents[start : start + _PART] for start in range(0, len(documents), _PART)]
    done: list[Changes] = []
    for number, part in enumerate(parts):
        start = number * _PART

        def report(work: str, count: int, _: int, start: int = start) -> None:
            if on_progress:
                on_progress(work, start + count, len(documents))

        done.append(index.add(part, report))
        if done[-1].encoded and number + 1 < len(parts):
            index.save(partial)
    last = index.update(documents)
    added, replaced = sum(each.added for each in done), sum(each.replaced for each in done)
    return Changes(
        added=added,
        replaced=replaced,
        removed=last.removed,
        unchanged=len(documents) - added - replaced,
        encoded=sum(each.encoded for each in done),
    )


def _group_by_source(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, list[Document]]:
    """Return the passages of each file, given their ids and data, by the file's name and digest.

    Files of which a partial index has some passages only are left out.
    """
    found: dict[str, list[Document]] = defaultdict(list)
    for id, row in rows:
        found[row["source"]].append(_make_document(id, row))
    return {source: each for source, each in found.items() if len(each) == each[0].data["passages"]}


def _read_all(
    path: Path,
    stored: Mapping[str, list[Document]],
    on_progress: OnProgress | None,
    exclude: Sequence[str] = (),
) -> dict[str, list[Document]]:
    """Return the passages of each file; files that did not change are not read. Raises InvalidData."""
    sources = find_sources(path, exclude)
    documents: dict[str, list[Document]] = {}
    faults: list[str] = []
    macros = find_macros(sources)
    digest = hashlib.sha256(json.dumps(macros, sort_keys=True).encode()).hexdigest()[:16] if macros else ""
    for done, source in enumerate(sources):
        key = f"{_READER} {source.name} {source.digest} {digest}"
        if on_progress:
            on_progress("read", done, len(sources))
        try:
            documents[key] = stored[key] if key in stored else list(_read_passages(source, key, macros))
        except InvalidData as fault:
            faults.append(str(fault))
    if on_progress:
        on_progress("read", len(sources), len(sources))
    if faults:
        raise InvalidData("\n".join(faults))
    if not any(documents.values()):
        raise InvalidData(f"{sources[0].name}: has no text")
    if not path.is_dir() and (included := list_included_files(sources[0])):
        _log.warning("%s: includes %s; index the folder to search them", path.name, ", ".join(included))
    return documents


def _flatten(documents: Mapping[str, list[Document]]) -> list[Document]:
    return [each for passages in documents.values() for each in passages]


def _read_passages(source: SourceFile, key: str, macros: dict[str, str]) -> Iterator[Document]:
    document = read_source(source, macros)
    if document.empty_pages:
        _log.warning(
            "%s: %d of %d pages have no text (scanned?)", source.name, document.empty_pages, document.pages
        )
    passages = list(split_document(document))
    if not passages:
        _log.warning("%s: has no text", source.name)
    for place, passage in enumerate(passages):
        row = {**asdict(passage), "place": place, "source": key, "passages": len(passages)}
        yield _make_document(f"{source.name}#{place}", row)


def _make_document(id: str, row: Mapping[str, Any]) -> Document:
    """Return what the index has of a passage, given its data."""
    passage = make_passage(row)
    return Document(id, passage.searched, row, passage.parts, passage.section)

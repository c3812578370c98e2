"""Read a file or a folder of documents. Each file that cannot be read is one line of the error."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from ansatz.errors import InvalidData
from ansatz.knowledge_base.handbook.document import HandbookDocument, TextBlock
from ansatz.knowledge_base.handbook.latex_reading import find_abbreviations, find_included_files, read_latex
from ansatz.knowledge_base.handbook.markup_reading import read_html, read_markdown
from ansatz.knowledge_base.handbook.pdf_reading import read_pdf
from ansatz.knowledge_base.handbook.rst_reading import read_rst
from ansatz.knowledge_base.handbook.text_reading import read_text

_TEXTS: dict[str, Callable[[str], list[TextBlock]]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".txt": read_text,
    ".rst": read_rst,
}
_PDF, _LATEX = ".pdf", ".tex"
_HIDDEN = re.compile(r"\.")
# What Sphinx writes in addition to the pages: copies of their sources, lists of terms, parts of its theme.
_AUXILIARY = re.compile(r"\.|_(?:sources|static|modules)$|(?:genindex\S*|py-modindex|search)\.html$")
_CHARSET = re.compile(rb"<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
SUFFIXES = (_PDF, _LATEX, *_TEXTS)
"""The suffixes of files that are read."""
MOST_BYTES = 500_000_000
"""The size of the largest file that is read."""


@dataclass(frozen=True)
class SourceFile:
    """A file of a handbook, before it is read."""

    path: Path
    name: str
    """Relative to the folder of the handbook."""
    digest: str
    """The SHA-256 of its bytes."""


def find_sources(path: Path, exclude: Sequence[str] = ()) -> list[SourceFile]:
    """Return the files of a handbook, sorted by name.

    Files of other types, hidden ones and those whose name fits a pattern of `exclude` are left out.

    Raises InvalidData, with a line for each file or folder that cannot be read, is too large or a duplicate.
    """
    types = ", ".join(SUFFIXES)
    if not path.exists():
        raise InvalidData(f"{path}: there is no such file or folder")
    faults: list[str] = []
    if not path.is_dir():
        if path.suffix.lower() not in SUFFIXES:
            raise InvalidData(f"{path}: cannot read files of this type; the types are {types}")
        files = [path]
    else:
        listed = (each for each in walk_files(path, faults) if each.suffix.lower() in SUFFIXES)
        files = [
            each
            for each in _drop_links_to_others(listed)
            if not any(fnmatch(each.relative_to(path).as_posix(), pattern) for pattern in exclude)
        ]
    if not files and not faults:
        raise InvalidData(f"{path}: has no document; the types are {types}")
    found: dict[str, SourceFile] = {}
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else file.name
        try:
            source = _open_source(file, name)
        except OSError as failure:
            faults.append(f"{name}: cannot be read: {failure.strerror}")
        except InvalidData as fault:
            faults.append(str(fault))
        else:
            other = found.setdefault(source.digest, source)
            if other is not source and file.stat().st_size:
                faults.append(f"{name}: has the same content as {other.name}; remove one of them")
    if faults:
        raise InvalidData("\n".join(faults))
    return list(found.values())


def count_other_types(path: Path) -> dict[str, int]:
    """Return the number of files of each type in a folder that are left out, the most frequent type first."""
    others = (each.suffix.lower() or each.name for each in walk_files(path))
    return dict(Counter(each for each in others if each not in SUFFIXES).most_common())


def read_source(source: SourceFile, abbreviations: dict[str, str] | None = None) -> HandbookDocument:
    """Read one file.

    Args:
        source: The file.
        abbreviations: Macros of LaTeX that other files of the handbook define.

    Raises:
        InvalidData: It is empty, encrypted, scanned, damaged or not UTF-8; the message is one line.
    """
    suffix = source.path.suffix.lower()
    if suffix == _PDF:
        return read_pdf(source.path, source.name)
    text = _decode(source)
    blocks = read_latex(text, abbreviations or {}) if suffix == _LATEX else _TEXTS[suffix](text)
    return HandbookDocument(source.name, tuple(blocks))


def find_macros(sources: list[SourceFile]) -> dict[str, str]:
    """Return the macros without arguments that the LaTeX files of a handbook define. Raises InvalidData."""
    found: dict[str, str] = {}
    for source in sources:
        if source.path.suffix.lower() == _LATEX:
            found |= find_abbreviations(_decode(source))
    return found


def list_included_files(source: SourceFile) -> list[str]:
    """Return the names of the files that a LaTeX file includes. Raises InvalidData."""
    return find_included_files(_decode(source)) if source.path.suffix.lower() == _LATEX else []


def walk_files(folder: Path, faults: list[str] | None = None) -> Iterator[Path]:
    """Yield the files in a folder at any depth, without hidden ones. Links to folders are followed once.

    A folder that cannot be read adds a line to `faults`.
    """

    def report(failure: OSError) -> None:
        if faults is not None:
            faults.append(f"{failure.filename}: cannot be read: {failure.strerror}")

    visited: set[str] = set()
    for place, folders, files in os.walk(folder, onerror=report, followlinks=True):
        real = os.path.realpath(place)
        if real in visited:
            folders.clear()
            continue
        visited.add(real)
        left_out = _AUXILIARY if "objects.inv" in files else _HIDDEN
        folders[:] = sorted(each for each in folders if not left_out.match(each))
        yield from (Path(place, each) for each in files if not left_out.match(each))


def _drop_links_to_others(files: Iterable[Path]) -> list[Path]:
    """Return the files without links to others of them."""
    listed = sorted(files)
    real = {each.resolve() for each in listed if not each.is_symlink()}
    return [each for each in listed if not each.is_symlink() or each.resolve() not in real]


def _open_source(file: Path, name: str) -> SourceFile:
    """Hash a file. Raises OSError or InvalidData."""
    if name != name.encode(errors="replace").decode():
        raise InvalidData(f"{name!a}: the name is not UTF-8; rename the file")
    status = file.stat()
    if not stat.S_ISREG(status.st_mode):
        raise InvalidData(f"{name}: is not a regular file")
    if status.st_size > MOST_BYTES:
        raise InvalidData(
            f"{name}: has {status.st_size / 1e6:,.0f} MB, more than {MOST_BYTES / 1e6:,.0f} MB; split it"
        )
    with file.open("rb") as opened:
        return SourceFile(file, name, hashlib.file_digest(opened, "sha256").hexdigest())


def _decode(source: SourceFile) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a byte order mark, or the encoding that HTML declares.

    Raises InvalidData.
    """
    content = source.path.read_bytes()
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as failure:
        if declared := _decode_as_declared(source, content):
            return declared
        line = content.count(b"\n", 0, failure.start) + 1
        raise InvalidData(f"{source.name}, line {line}: is not UTF-8; save the file in UTF-8") from None
    if "\0" in text:
        raise InvalidData(
            f"{source.name}: is a binary file, or text that is not UTF-8; save the text in UTF-8"
        )
    return text.replace("\r\n", "\n")


def _decode_as_declared(source: SourceFile, content: bytes) -> str | None:
    """Return the text of an HTML page in the encoding that it declares, if there is such an encoding."""
    found = _CHARSET.search(content, 0, 4096) if _TEXTS.get(source.path.suffix.lower()) is read_html else None
    if found is None:
        return None
    name = found[1].decode().lower()
    try:
        text = content.decode("cp1252" if name in ("iso-8859-1", "latin1") else name)  # as browsers read it
    except (UnicodeDecodeError, LookupError):
        return None
    return text.replace("\r\n", "\n")

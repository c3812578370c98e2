"""Read a file or a folder of documents. Each file that cannot be read is one line of the error."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ansatz.errors import InvalidData
from ansatz.knowledge_base.handbook.document import HandbookDocument, TextBlock
from ansatz.knowledge_base.handbook.latex_reading import find_abbreviations, read_latex
from ansatz.knowledge_base.handbook.markup_reading import read_html, read_markdown
from ansatz.knowledge_base.handbook.pdf_reading import read_pdf
from ansatz.knowledge_base.handbook.text_reading import read_text

_TEXTS: dict[str, Callable[[str], list[TextBlock]]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".txt": read_text,
    ".rst": read_text,
}
_PDF, _LATEX = ".pdf", ".tex"
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


def find_sources(path: Path) -> list[SourceFile]:
    """Return the files of a handbook, sorted by name. Files of other types and hidden ones are left out.

    Raises InvalidData, with a line for each file that is too large or a duplicate.
    """
    if not path.exists():
        raise InvalidData(f"{path}: there is no such file or folder")
    types = ", ".join(SUFFIXES)
    if path.is_file() and path.suffix.lower() not in SUFFIXES:
        raise InvalidData(f"{path}: cannot read files of this type; the types are {types}")
    files = sorted(_list_files(path)) if path.is_dir() else [path]
    if not files:
        raise InvalidData(f"{path}: has no document; the types are {types}")
    faults: list[str] = []
    found: dict[str, SourceFile] = {}
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else file.name
        try:
            if (size := file.stat().st_size) > MOST_BYTES:
                faults.append(
                    f"{name}: has {size / 1e6:,.0f} MB, more than {MOST_BYTES / 1e6:,.0f} MB; split it"
                )
                continue
            with file.open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as failure:
            faults.append(f"{name}: cannot be read: {failure.strerror}")
            continue
        if digest in found:
            faults.append(f"{name}: has the same content as {found[digest].name}; remove one of them")
        found.setdefault(digest, SourceFile(file, name, digest))
    if faults:
        raise InvalidData("\n".join(faults))
    return list(found.values())


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
    """Return the macros for environments that the LaTeX files of a handbook define. Raises InvalidData."""
    found: dict[str, str] = {}
    for source in sources:
        if source.path.suffix.lower() == _LATEX:
            found |= find_abbreviations(_decode(source))
    return found


def _list_files(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*"):
        is_hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if file.suffix.lower() in SUFFIXES and not is_hidden and file.is_file():
            yield file


def _decode(source: SourceFile) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark. Raises InvalidData."""
    content = source.path.read_bytes()
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as failure:
        line = content.count(b"\n", 0, failure.start) + 1
        raise InvalidData(f"{source.name}, line {line}: is not UTF-8; save the file in UTF-8") from None
    if "\0" in text:
        raise InvalidData(f"{source.name}: is a binary file, not text")
    return text.replace("\r\n", "\n")

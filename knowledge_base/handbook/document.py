"""A document as a sequence of blocks: headings, sentences, table rows and formulas, each with its page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TextBlock:
    """One heading, or one piece of text that a passage never splits."""

    text: str
    """Its text, on one line or several."""
    page: int | None = None
    """The page in the file, from 1; None for formats without pages."""
    level: int = 0
    """The level of a heading, from 1; 0 for text."""


@dataclass(frozen=True)
class HandbookDocument:
    """The content of one file."""

    name: str
    """The path of the file, relative to the folder that is indexed."""
    blocks: tuple[TextBlock, ...]
    """Its headings and text in reading order."""
    pages: int | None = None
    """The number of pages; None for formats without pages."""
    empty_pages: int = 0
    """Pages without text, such as scanned pages."""

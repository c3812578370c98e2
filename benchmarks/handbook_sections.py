"""Measure the headings that the reader finds in manuals, without any search.

python -m benchmarks.handbook_sections MANUAL --questions FILE.jsonl   # are right sections and pages found?
python -m benchmarks.handbook_sections MANUAL ... --list               # also print headings, to look at them

A right place is a section and a page of a question, as in `benchmarks.handbook`. Its heading is found if a heading has
its title, with or without number; it is covered if a passage of the page lies under that heading. For PDFs with
bookmarks, the headings found without them are compared with the bookmarks. Bookmarks often name two levels only, so
that a low precision can be right; look at the list.
"""

import argparse
import sys
from pathlib import Path
from unittest.mock import patch

from ansatz.knowledge_base.handbook import index_handbook, pdf_reading
from ansatz.knowledge_base.handbook.pdf_numbers import strip_number
from ansatz.knowledge_base.handbook.splitting import SEPARATOR
from benchmarks.handbook import read_questions, simplify


def list_titles(text):
    """Return the forms of a title that count as the same: with and without number."""
    return {simplify(text), simplify(strip_number(text))}


def measure_places(manual, questions):
    """Print how many right places have their heading, and how many pages lie under it."""
    passages = index_handbook(manual, encoder=None)[0].passages
    found = covered = count = 0
    for question in questions:
        for file, section, pages in question["gold"]:
            under = [
                passage
                for passage in passages
                if file in (None, passage.file)
                and any(section in list_titles(title) for title in passage.section.split(SEPARATOR))
            ]
            count += 1
            found += bool(under)
            is_covered = any(passage.page in (pages or [passage.page]) for passage in under)
            covered += is_covered
            if not is_covered:
                print(f"  {'page' if under else 'heading'} missed: {section}, {pages}")
    print(f"{manual}: {count} places, heading found {found / count:.3f}, page covered {covered / count:.3f}")


def measure_outline(path, is_listed):
    """Print how the headings found without bookmarks compare with the bookmarks."""
    pages, bookmarks = pdf_reading.read_lines(path, path.name)
    with patch.object(pdf_reading, "read_lines", lambda *_: (pages, [])):
        blocks = pdf_reading.read_pdf(path, path.name).blocks
    headings = [block for block in blocks if block.level]
    marks = {(mark.page, title) for mark in bookmarks for title in list_titles(mark.title)}
    texts = {(block.page, title) for block in headings for title in list_titles(block.text)}
    right = [
        block for block in headings if any((block.page, each) in marks for each in list_titles(block.text))
    ]
    hit = [mark for mark in bookmarks if any((mark.page, each) in texts for each in list_titles(mark.title))]
    shares = f", {len(hit)} of {len(bookmarks)} bookmarks found, {len(right)} headings are bookmarks"
    print(f"{path.name}: {len(headings)} headings{shares if bookmarks else ''}")
    for block in headings if is_listed else ():
        mark = "" if block in right or not bookmarks else "  (no bookmark)"
        print(f"{block.page:5d} {'  ' * block.level}{block.text}{mark}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manuals", nargs="+", type=Path)
    parser.add_argument("--questions")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    for manual in given.manuals:
        for path in sorted(manual.rglob("*.pdf")) if manual.is_dir() else [manual]:
            measure_outline(path, given.list)
        if given.questions:
            measure_places(manual, read_questions(given.questions))


if __name__ == "__main__":
    sys.exit(main())

"""Headings of PDF handbooks: by bookmarks, printed contents, fonts and numbers."""

import pytest

from tests.knowledge_base.small_pdf import write_pdf
from tests.knowledge_base.test_handbook import PUMP, VALVE, index, places

OUTLINE = [("2 Pumps", 2), ("Valves", 3), ("4 Part A", 4), ("5 Part B", 5)]


@pytest.mark.parametrize("outline", [OUTLINE, []])
def test_pdf_sections_by_outline_or_fonts(tmp_path, outline):
    """Running heads and the printed contents are left out; a passage has the page that it is on."""
    contents = [(10, f"{number} Chapter {'.' * 30} {number}") for number in range(1, 9)]
    head = (8, "Works manual")
    pages = [contents, [head, (14, "2 Pumps"), (10, PUMP)], [head, (14, "3 Valves"), (10, VALVE)]]
    more = [[head, (14, f"{number} Part {'ABC'[number - 4]}"), (10, VALVE)] for number in (4, 5)]
    path = write_pdf(tmp_path / "manual.pdf", [*pages, *more], outline)
    made = index(path)
    assert places(made)[:2] == [("2 Pumps", 2), ("3 Valves", 3)]
    assert made.passages[0].text == PUMP


def test_pdf_numbered_headings_below_the_bookmarks(tmp_path):
    """A plain heading of three numbers in sequence has no bookmark; a number out of sequence is text."""
    plain = [
        (10, "2.1.1 Priming"),
        (10, PUMP),
        (10, "7.3.2 Elsewhere"),
        (10, VALVE),
        (10, "2.1.2 Stopping"),
        (10, VALVE),
    ]
    pages = [[(10, "2 Pumps"), (10, PUMP)], [(10, "2.1 Operation"), (10, PUMP), *plain]]
    path = write_pdf(tmp_path / "manual.pdf", pages, [("2 Pumps", 1), ("2.1 Operation", 2)])
    sections = [section for section, _ in places(index(path))]
    above = "2.1 Operation"
    assert sections == ["2 Pumps", above, f"{above} > 2.1.1 Priming", f"{above} > 2.1.2 Stopping"]


PROSE = (10, f"{VALVE} It is tested once a year.")


def find_headings(tmp_path, *pages):
    made = index(write_pdf(tmp_path / "manual.pdf", pages))
    return list(dict.fromkeys(section for section, _ in places(made)))


def test_pdf_heading_on_two_lines_is_one(tmp_path):
    page = [(14, "Instructions for the Setting of"), (14, "Relief Valves"), PROSE]
    assert find_headings(tmp_path, page) == ["Instructions for the Setting of Relief Valves"]


def test_pdf_chapter_has_its_number_and_title(tmp_path):
    first = [(16, "Chapter 6"), (20, "Relief Valves (RV)"), PROSE, (14, "6.1 Testing"), PROSE]
    second = [(16, "CHAPTER"), (18, "SEVEN"), (20, "FLOW CONTROL"), PROSE]
    chapter = "Chapter 6 Relief Valves (RV)"
    sections = [chapter, f"{chapter} > 6.1 Testing", "CHAPTER SEVEN FLOW CONTROL"]
    assert find_headings(tmp_path, first, second) == sections


def test_pdf_labels_of_figures_are_no_headings(tmp_path):
    """Labels have a large font, but no text below."""
    figure = [(12, "Lift of the valve"), (12, "Open"), (7, "0.5"), (12, "Closed"), (7, "0.0")]
    pages = [[(14, title), PROSE, *figure] for title in ("Valves", "Pumps", "Fans")]
    assert find_headings(tmp_path, *pages) == ["Valves", "Pumps", "Fans"]


def test_pdf_line_with_its_page_number_is_no_heading(tmp_path):
    titles = ["Valves", "Pumps", "Fans", "Pipes"]
    pages = [[(10, f"{title} {page}"), (14, title), PROSE] for page, title in enumerate(titles, 7)]
    assert find_headings(tmp_path, *pages) == titles


def test_pdf_contents_decide_what_is_a_heading(tmp_path):
    """An entry may have two lines; a numbered step of a procedure is not in the contents."""
    titles = ["1 Valves", "2 Pumps", "3 Fans", "4 Pipes", "5 Tanks", "6 Setting and Testing of Springs"]
    lines = [*titles[:5], "6 Setting and Testing of", "Springs"]
    contents = [(10, line if line.endswith("of") else f"{line} {'.' * 30} 7") for line in lines]
    steps = [(14, "7 Open the Drain"), PROSE]
    pages = [[(14, title[:24]), (14, title[24:]), PROSE] for title in titles]
    assert find_headings(tmp_path, contents, *pages, steps) == titles


def test_pdf_bold_headings_below_the_bookmarks(tmp_path):
    """A font of headings prints titles above text; a list of terms in bold has no text below."""
    terms = [(10, "Seat", True), (10, "Stem", True), (10, "Spring", True)]
    pages = [
        [(14, "Valves"), PROSE, (10, "Pressure Setting", True), PROSE, (11, "Reseating", True), (10, PUMP)]
    ]
    path = write_pdf(
        tmp_path / "manual.pdf", [*pages, [(14, "Parts"), PROSE, *terms]], [("Valves", 1), ("Parts", 2)]
    )
    sections = ["Valves", "Valves > Pressure Setting", "Valves > Reseating", "Parts"]
    assert [section for section, _ in places(index(path))] == sections


def test_pdf_ligatures_of_tex_fonts_are_letters(tmp_path):
    pages = [[(10, "The e\x0eciency of the \x1crst sta\x1b is speci\x1ced by the \x1dow coe\x1ecient.")]]
    text = index(write_pdf(tmp_path / "manual.pdf", pages)).passages[0].text
    assert text == "The efficiency of the first staff is specified by the flow coefficient."

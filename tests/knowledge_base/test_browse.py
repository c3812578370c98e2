"""The static site: complete, linked, escaped, and without anything from a network."""

import re
from html.parser import HTMLParser

import pytest

from ansatz.knowledge_base.browse import write_site
from ansatz.knowledge_base.equation import Equation, Library, library
from tests.commands import ansatz
from tests.knowledge_base.test_equation import KEPLER, SUTTON_GRAVES


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found += [value for name, value in attributes if name in ("href", "src")]


def links(file):
    parser = Links()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser.found


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    base = Library([one for one in library() if one.domain in ("radiation", "newtonian")])
    assert write_site(base, folder) == len(base) + 3
    return folder, base


def test_every_entry_has_a_page_with_its_formula_and_its_test_vectors(site):
    folder, base = site
    for equation in base:
        text = (folder / "entries" / f"{equation.id}.html").read_text(encoding="utf-8")
        assert "<math" in text
        assert text.count("<tr>") == 2 + len(equation.symbols) + len(equation.constants) + len(equation.tests)


def test_every_link_within_the_site_leads_to_a_file(site):
    folder, _ = site
    for file in folder.rglob("*.html"):
        for target in links(file):
            if not re.match(r"https?://", target):
                assert (file.parent / target.split("#")[0]).resolve().is_file(), f"{file.name}: {target}"


def test_nothing_is_fetched_from_elsewhere(site):
    folder, _ = site
    for file in (*folder.rglob("*.html"), *folder.rglob("*.css"), *folder.rglob("*.js")):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"(?:src|@import|url\()\s*=?\s*[\"']?https?:", text), file.name


def test_traps_are_linked_and_text_is_escaped(tmp_path):
    odd = SUTTON_GRAVES | {
        "name": "A <b>bold</b> & odd name",
        "failure_modes": [{"when": "kn > 0.1", "effect": "wrong", "use": "astro.kepler"}],
        "confusable_with": ["astro.kepler"],
    }
    write_site(Library([Equation.model_validate(odd), Equation.model_validate(KEPLER)]), tmp_path)
    text = (tmp_path / "entries" / "heating.sutton_graves.earth.html").read_text(encoding="utf-8")
    assert "A &lt;b&gt;bold&lt;/b&gt; &amp; odd name" in text
    assert text.count('href="astro.kepler.html"') == 2


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("x")
    result = ansatz("kb", "browse", blocked)
    assert result.returncode == 2
    assert str(blocked) in result.stderr and len(result.stderr.splitlines()) == 1

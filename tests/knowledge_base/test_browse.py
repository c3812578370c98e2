"""The static site: complete, linked, escaped, and without anything from a network."""

import re
import shutil
import subprocess

import pytest

from ansatz.knowledge_base.browse import write_site
from ansatz.knowledge_base.equation import Equation, Library, library
from tests.commands import ansatz
from tests.knowledge_base.test_equation import KEPLER, SUTTON_GRAVES


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    base = Library([one for one in library() if one.domain in ("radiation", "newtonian")])
    assert write_site(base, folder) == len(base) + 3
    return folder, base


def test_entry_page_has_formula_and_test_vectors(site):
    folder, base = site
    for equation in base:
        text = (folder / "entries" / f"{equation.id}.html").read_text(encoding="utf-8")
        assert "<math" in text
        assert text.count("<tr>") == 2 + len(equation.symbols) + len(equation.constants) + len(equation.tests)


def test_symbols_and_units_are_typeset(site):
    folder, _ = site
    text = (folder / "entries" / "radiation.planck.html").read_text(encoding="utf-8")
    assert "<msub><mi>B</mi><mi>&#x003BD;</mi></msub></mrow></math> <code>B_nu</code>" in text
    assert "W/(m²·sr·Hz)" in text and "m**" not in text.split("Test vectors")[0].split("<h2>Symbols")[1]


_FOUND = """
const fs = require("fs"), vm = require("vm"), [folder, query, regime] = process.argv.slice(1);
const node = () => ({value: "", textContent: "", children: [], addEventListener() {},
  append(...each) { this.children.push(...each); }, replaceChildren() { this.children = []; }});
const page = {query: node(), results: node(), found: node(), domains: node(), regime: node()};
page.query.value = query; page.regime.value = regime;
const scope = {window: {}, location: {hash: ""}, history: {replaceState() {}},
  document: {getElementById: (id) => page[id], createElement: node}};
for (const name of ["entries.js", "search.js"]) vm.runInNewContext(fs.readFileSync(`${folder}/${name}`, "utf8"), scope);
console.log(page.results.children.map((item) => item.children[2].textContent).join("\\n"));
"""


def found(folder, query, regime=""):
    result = subprocess.run(
        ["node", "-e", _FOUND, str(folder), query, regime], capture_output=True, text=True, check=True
    )
    return result.stdout.split()


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js on this machine")
def test_site_search_ignores_unknown_words_and_filters(site):
    folder, base = site
    assert found(folder, "modified newtonian pressure zebra")[0] == "newtonian.pressure.modified"
    assert not found(folder, "zebra")
    narrowed = found(folder, "", "radiator: gray")
    assert narrowed and set(narrowed) < {one.id for one in base}


def test_site_links_lead_to_local_files(site):
    folder, base = site
    assert f">{len(base)} entries</p>" in (folder / "index.html").read_text(encoding="utf-8")
    for file in (*folder.rglob("*.html"), *folder.rglob("*.css"), *folder.rglob("*.js")):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"(?:src|@import|url\()\s*=?\s*[\"']?https?:", text), file.name
        for target in (
            re.findall(r'(?:href|src)="(?!https?://)([^"#]*)', text) if file.suffix == ".html" else ()
        ):
            assert (file.parent / target).resolve().is_file(), f"{file.name}: {target}"


def test_traps_and_uses_are_linked_and_text_is_escaped(tmp_path):
    odd = SUTTON_GRAVES | {
        "name": "A <b>bold</b> & odd name",
        "failure_modes": [{"when": "kn > 0.1", "effect": "wrong", "use": "astro.kepler"}],
        "confusable_with": ["astro.kepler"],
    }
    address = "../../pumps/view/index.html#/problem?id=nose%231"
    base = Library([Equation.model_validate(odd), Equation.model_validate(KEPLER)])
    write_site(base, tmp_path, uses={odd["id"]: [("nose#1 (pumps)", address)]})
    text = (tmp_path / "entries" / "heating.sutton_graves.earth.html").read_text(encoding="utf-8")
    assert "A &lt;b&gt;bold&lt;/b&gt; &amp; odd name" in text
    assert text.count('href="astro.kepler.html"') == 2
    assert f'<a href="{address}">nose#1 (pumps)</a>' in text


def test_folder_that_cannot_be_created_is_refused_in_one_line(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("x")
    result = ansatz("kb", "browse", blocked)
    assert result.returncode == 2
    assert str(blocked) in result.stderr and len(result.stderr.splitlines()) == 1

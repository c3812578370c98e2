"""Write the site; it needs no server and no network."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import Path
from string import Template

from ansatz.knowledge_base.browse.entry_page import link, render
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library

_HERE = Path(__file__).parent


def write_site(
    library: Library, target: Path, progress: Callable[[str, int, int], None] | None = None
) -> int:
    """Write the site below `target`, which is made where it is missing; returns the number of pages."""
    for folder in (target, target / "entries", target / "domains"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("style.css", "search.js"):
        (target / name).write_bytes((_HERE / name).read_bytes())
    (target / "entries.js").write_text(_search_data(library), encoding="utf-8")
    (target / "index.html").write_text(_index(library), encoding="utf-8")
    for domain in library.domains:
        (target / "domains" / f"{domain}.html").write_text(_domain(library, domain), encoding="utf-8")
    layout, body = _template("page.html"), _template("entry.html")
    for number, equation in enumerate(library, 1):
        page = layout.substitute(
            title=f"{html.escape(equation.name)} - Ansatz equations",
            root="../",
            trail=f'<a href="../domains/{equation.domain}.html">{_title(equation.domain)}</a>',
            body=body.substitute(render(equation, library)),
            scripts="",
        )
        (target / "entries" / f"{equation.id}.html").write_text(page, encoding="utf-8")
        if progress:
            progress("pages", number, len(library))
    return len(library) + len(library.domains) + 1


def _index(library: Library) -> str:
    domains = "".join(
        f'<li><a href="domains/{domain}.html">{_title(domain)}</a> <span class="soft">{count}</span></li>'
        for domain, count in library.domains.items()
    )
    body = _template("index.html").substitute(
        counts=f"{len(library)} entries, {library.unique_formulas} unique formulas",
        domains=f"<h2>Domains</h2><ul>{domains}</ul>",
    )
    scripts = '<script src="entries.js"></script>\n<script src="search.js"></script>'
    return _template("page.html").substitute(
        title="Ansatz equations", root="", trail="", body=body, scripts=scripts
    )


def _domain(library: Library, domain: str) -> str:
    topics: dict[str, list[Equation]] = {}
    for equation in library:
        if equation.domain == domain:
            topics.setdefault(equation.topic, []).append(equation)
    parts = [f"<h1>{_title(domain)}</h1>"]
    for topic, equations in sorted(topics.items()):
        items = "".join(f"<li>{link(one, '../entries/')}</li>" for one in equations)
        parts.append(f'<h2>{_title(topic)}</h2><ul class="entries">{items}</ul>')
    return _template("page.html").substitute(
        title=f"{_title(domain)} - Ansatz equations", root="../", trail="", body="\n".join(parts), scripts=""
    )


def _search_data(library: Library) -> str:
    rows = [
        [one.id, one.name, " ".join([one.topic, *one.aliases, *(each.desc for each in one.symbols.values())])]
        for one in library
    ]
    return f"window.ENTRIES = {json.dumps(rows, ensure_ascii=False)};\n"


def _title(name: str) -> str:
    return html.escape(name.replace("_", " ").capitalize())


def _template(name: str) -> Template:
    return Template((_HERE / name).read_text(encoding="utf-8"))

"""Write the site; it needs no server and no network."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from string import Template

from ansatz.knowledge_base.browse.entry_page import link, render
from ansatz.knowledge_base.equation.axes import WORDS
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
        regimes=_choices(library),
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
        [
            one.id,
            one.name,
            " ".join(
                [one.topic, *one.aliases, *(each.desc for each in one.symbols.values()), *one.asked[:1]]
            ),
            _regimes(one),
        ]
        for one in library
    ]
    return f"window.ENTRIES = {json.dumps(rows, ensure_ascii=False)};\n"


def _regimes(equation: Equation) -> list[str]:
    """The words that an entry's conditions ask for, such as "wall: cold"; none where it holds everywhere."""
    conditions = (*equation.regime.require, *equation.regime.prefer)
    return [
        f"{each.axis.replace('_', ' ')}: {word.replace('_', ' ')}"
        for each in conditions
        if each.axis in WORDS
        for word in sorted(each.accepted_words)
    ]


def _choices(library: Library) -> str:
    """The regimes that entries ask for, as choices of the filter, by axis."""
    axes: dict[str, Counter[str]] = {}
    for regime in (each for one in library for each in dict.fromkeys(_regimes(one))):
        axes.setdefault(regime.split(":")[0], Counter())[regime] += 1
    groups = []
    for axis, counts in sorted(axes.items()):
        options = "".join(
            f'<option value="{html.escape(regime)}">{html.escape(regime.split(": ")[1])} ({count})</option>'
            for regime, count in sorted(counts.items())
        )
        groups.append(f'<optgroup label="{html.escape(axis)}">{options}</optgroup>')
    return "".join(groups)


def _title(name: str) -> str:
    return html.escape(name.replace("_", " ").capitalize())


def _template(name: str) -> Template:
    return Template((_HERE / name).read_text(encoding="utf-8"))

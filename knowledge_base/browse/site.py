"""Write the site; it needs no server and no network."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ansatz.knowledge_base.browse.symbol_pictures import find_symbol_latex
from ansatz.knowledge_base.equation.axes import WORDS
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.reference_sheet import format_number
from ansatz.quantities.unit_writing import format_unit

_HERE = Path(__file__).parent
Uses = Mapping[str, Sequence[tuple[str, str]]]
"""For the id of an entry where it was used: what to call it, and the address of its page."""


def write_site(
    library: Library,
    target: Path,
    progress: Callable[[str, int, int], None] | None = None,
    uses: Uses | None = None,
) -> int:
    """Write the site below `target`, which is made where it is missing; returns the number of pages."""
    for folder in (target, target / "entries", target / "domains"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("style.css", "search.js"):
        (target / name).write_bytes((_HERE / name).read_bytes())
    searched = []
    for one in library:
        words = [one.topic, *one.aliases, *(each.desc for each in one.symbols.values()), *one.phrases[:1]]
        searched.append([one.id, one.name, " ".join(words), _list_regimes(one)])
    data = json.dumps(searched, ensure_ascii=False)
    (target / "entries.js").write_text(f"window.ENTRIES = {data};\n", encoding="utf-8")
    pages = _load_templates(library)

    def write(page: str, template: str, **fields: object) -> None:
        fields = {"trail": "", "root": "../" if "/" in page else "", **fields}
        text = pages.get_template(template).render(fields)
        (target / page).write_text(text, encoding="utf-8")

    write("index.html", "index.html", title="Index", regimes=_count_regimes(library))
    for domain in library.domains:
        inside = sorted((one for one in library if one.domain == domain), key=lambda one: (one.topic, one.id))
        topics = [(topic, list(found)) for topic, found in groupby(inside, key=lambda one: one.topic)]
        write(f"domains/{domain}.html", "domain.html", title=_format_title(domain), topics=topics)
    for number, one in enumerate(library, 1):
        fields = {**_list_entry_fields(one, library), "used_by": (uses or {}).get(one.id, ())}
        write(f"entries/{one.id}.html", "entry.html", title=one.name, trail=one.domain, **fields)
        if progress:
            progress("pages", number, len(library))
    return len(library) + len(library.domains) + 1


def _load_templates(library: Library) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup, escape

    def link(id: str, folder: str = "") -> Any:
        name = escape(library.get(id).name)
        return Markup(f'<a href="{folder}{id}.html">{name}</a> <code class="soft">{id}</code>')

    loader = FileSystemLoader(_HERE)
    made = Environment(loader=loader, autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    made.filters["title_of"] = _format_title
    made.globals.update(library=library, link=link, mathml=_to_mathml)
    return made


def _to_mathml(latex: str, display: str = "inline") -> Any:
    """LaTeX as MathML, which browsers show without scripts or fonts."""
    from latex2mathml.converter import convert
    from markupsafe import Markup

    return Markup(convert(latex, display=display))


def _list_entry_fields(one: Equation, library: Library) -> dict[str, object]:
    """What the page of an entry shows besides the entry's own fields."""
    symbols = []
    for name in (one.output, *one.inputs):
        each = one.symbols[name]
        valid = f"{each.valid.describe()} ({each.valid.source})" if each.valid else ""
        symbols.append((_format_symbol(one, name), each.desc, _format_unit(each.unit), valid))
    for name, constant in one.constants.items():
        source = constant.source + (f"; unconfirmed: {constant.unconfirmed}" if constant.unconfirmed else "")
        symbols.append(
            (_format_symbol(one, name), source, _format_unit(constant.unit), format_number(constant.value))
        )
    tests = [
        (
            ", ".join(f"{name} = {format_number(value)}" for name, value in test.inputs.items()),
            format_number(test.out),
            f"{test.rtol:g}",
            test.source,
        )
        for test in one.tests
    ]
    needed = [f"{each.expr} ({each.note})" for each in one.holds_where]
    return {
        "one": one,
        "symbols": symbols,
        "tests": tests,
        "applies": [*(predicate.describe() for predicate in one.regime.require), *needed],
        "best_for": [predicate.describe() for predicate in one.regime.prefer],
        "confused": [id for id in one.confusable_with if id in library],
        "bounds": [f"{bound.expr}  {bound.note}".strip() for bound in one.bounds],
    }


def _format_symbol(one: Equation, name: str) -> Any:
    """A symbol as the picture of the formula shows it, then as programs name it."""
    from markupsafe import Markup

    picture = find_symbol_latex(one, name)
    return Markup(f"{_to_mathml(picture)} " if picture else "") + Markup("<code>{}</code>").format(name)


def _format_unit(unit: str) -> str:
    written = format_unit(unit)
    return written if written != "-" else "–"


def _list_regimes(one: Equation) -> list[str]:
    """The words that an entry's conditions ask for, such as "wall: cold"; none where it holds everywhere."""
    return [
        f"{each.axis.replace('_', ' ')}: {word.replace('_', ' ')}"
        for each in (*one.regime.require, *one.regime.prefer)
        if each.axis in WORDS
        for word in sorted(each.accepted)
    ]


def _count_regimes(library: Library) -> list[tuple[str, list[tuple[str, int]]]]:
    """The regimes that entries ask for, by axis, each with the number of entries."""
    counted = Counter(regime for one in library for regime in dict.fromkeys(_list_regimes(one)))
    groups = groupby(sorted(counted.items()), key=lambda pair: pair[0].split(":")[0])
    return [(axis, list(found)) for axis, found in groups]


def _format_title(name: str) -> str:
    return name.replace("_", " ").capitalize()

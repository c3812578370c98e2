"""Write the site, which needs no server and no network."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from ansatz.knowledge_base.equation.axes import WORDS
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.reference_sheet import format_number
from ansatz.quantities.unit_writing import format_unit

_HERE = Path(__file__).parent
Uses = Mapping[str, Sequence[tuple[str, str]]]
"""The problems that use an entry, by its id: title and address of their page."""

_SHORT = {"lam": "lambda", "eps": "epsilon", "sig": "sigma", "th": "theta", "om": "omega", "inf": "infty"}
_MARK = r"\\(?:dot|ddot|bar|overline|hat|tilde|vec) ?"
_INDEX = r"(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z\d*'+])"
_STEM = r"\\mathrm\{\w+\}|\\[A-Za-z]+|[A-Z]{2,}|Re|Pr|Nu|Ma|Kn|Sc|[A-Za-z]"
_SYMBOL = re.compile(
    r"\\(?:d?frac|sqrt|exp|ln|log|left|right|cdot|times|quad|min|max|sin|cos|tan)(?![A-Za-z])"
    rf"|(?P<symbol>(?:{_MARK})?(?:{_STEM})(?:_{_INDEX})?)"
)
_STYLE = re.compile(r"\\(?:mathrm|mathit|text|var|dot|bar|overline|hat|tilde|vec)(?![a-z]{5})|[\\{}_ ,*]")


def write_site(
    library: Library,
    target: Path,
    progress: Callable[[str, int, int], None] | None = None,
    uses: Uses | None = None,
) -> int:
    """Write the site into a folder, which is created if needed; return the number of pages."""
    for folder in (target, target / "entries", target / "domains"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("style.css", "search.js"):
        (target / name).write_bytes((_HERE / name).read_bytes())
    index = []
    for one in library:
        descriptions = [symbol.desc for symbol in one.symbols.values()]
        words = [one.topic, *one.aliases, *descriptions, *one.phrases[:1]]
        index.append([one.id, one.name, " ".join(words), _list_regimes(one)])
    data = json.dumps(index, ensure_ascii=False)
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
    templates = Environment(loader=loader, autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    templates.filters["title_of"] = _format_title
    templates.globals.update(library=library, link=link, mathml=_to_mathml)
    return templates


def _to_mathml(latex: str, display: str = "inline") -> Any:
    """Convert LaTeX to MathML, which browsers show without scripts or fonts."""
    from latex2mathml.converter import convert
    from markupsafe import Markup

    return Markup(convert(latex, display=display))


def _list_entry_fields(one: Equation, library: Library) -> dict[str, object]:
    """Return the data of an entry's page that are not fields of the entry."""
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
    """Format a symbol as in the typeset formula, followed by its name."""
    from markupsafe import Markup

    latex = _find_symbol_latex(one, name)
    return Markup(f"{_to_mathml(latex)} " if latex else "") + Markup("<code>{}</code>").format(name)


def _find_symbol_latex(equation: Equation, name: str) -> str | None:
    """Return the LaTeX of a symbol or constant, such as \\rho_\\infty for rho_inf; None if there is none."""
    latex = (equation.symbols.get(name) or equation.constants[name]).latex
    if latex and not re.fullmatch(r"[\d.]+|.*_", latex):
        return latex
    typeset, letters = _find_symbols(equation.latex), _join_letters(name)
    if letters in typeset:
        return typeset[letters]
    # The formula may add an index that the name does not have: q is typeset as q_s.
    indexed = [latex for latex in typeset.values() if _STYLE.sub("", latex.split("_")[0]) == letters]
    names = (*equation.symbols, *equation.constants)
    similar = [other for other in names if _join_letters(other).startswith(letters)]
    return indexed[0] if len(indexed) == len(similar) == 1 else None


def _join_letters(name: str) -> str:
    return "".join(_SHORT.get(part, part) for part in re.findall(r"[A-Za-z]+|\d+", name))


@lru_cache(maxsize=64)
def _find_symbols(latex: str) -> dict[str, str]:
    """Return the symbols of a formula by their letters."""
    symbols = [found["symbol"] for found in _SYMBOL.finditer(latex) if found["symbol"]]
    return {_STYLE.sub("", symbol): symbol for symbol in symbols}


def _format_unit(unit: str) -> str:
    written = format_unit(unit)
    return written if written != "-" else "–"


def _list_regimes(one: Equation) -> list[str]:
    """Return the words that an entry's conditions accept, such as "wall: cold"."""
    return [
        f"{each.axis.replace('_', ' ')}: {word.replace('_', ' ')}"
        for each in (*one.regime.require, *one.regime.prefer)
        if each.axis in WORDS
        for word in sorted(each.accepted)
    ]


def _count_regimes(library: Library) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the accepted words of all entries by axis, with the numbers of entries."""
    counted = Counter(regime for one in library for regime in dict.fromkeys(_list_regimes(one)))
    groups = groupby(sorted(counted.items()), key=lambda pair: pair[0].split(":")[0])
    return [(axis, list(found)) for axis, found in groups]


def _format_title(name: str) -> str:
    return name.replace("_", " ").capitalize()

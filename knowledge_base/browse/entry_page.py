"""What the page of one entry shows, as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from ansatz.knowledge_base.browse.symbol_pictures import pictured
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.reference_sheet import number_words
from ansatz.quantities.unit_writing import written_unit


def render(equation: Equation, library: Library) -> dict[str, str]:
    """The fields of the entry template."""
    family = equation.family
    left = f"{equation.output} = " if equation.expr else "0 = "
    return {
        "name": html.escape(equation.name),
        "id": html.escape(equation.id),
        "kind": html.escape(equation.kind.replace("_", " ")),
        "family": f' <span class="soft">family {html.escape(family.name)}</span>' if family else "",
        "formula": mathml(equation.latex, display="block"),
        "plain": html.escape(left + " ".join((equation.expr or equation.residual or "").split())),
        "symbols": _symbols(equation),
        "sections": "\n".join(_sections(equation, library)),
    }


def mathml(latex: str, display: str = "inline") -> str:
    """LaTeX as MathML, which browsers show without scripts or fonts of ours."""
    from latex2mathml.converter import convert

    return str(convert(latex, display=display))


def link(equation: Equation, folder: str = "") -> str:
    name, id = html.escape(equation.name), html.escape(equation.id)
    return f'<a href="{folder}{id}.html">{name}</a> <code class="soft">{id}</code>'


def _symbols(equation: Equation) -> str:
    rows = []
    for name in (equation.output, *equation.inputs):
        each = equation.symbols[name]
        valid = f"{each.valid.words()} ({each.valid.source})" if each.valid else ""
        rows.append((_symbol(equation, name), html.escape(each.desc), _unit(each.unit), html.escape(valid)))
    for name, constant in equation.constants.items():
        told = f"{number_words(constant.value)}"
        source = constant.source + (f"; unconfirmed: {constant.unconfirmed}" if constant.unconfirmed else "")
        rows.append((_symbol(equation, name), html.escape(source), _unit(constant.unit), told))
    return _table(("Symbol", "Meaning, or source of a constant", "Unit", "Where it holds, or value"), rows)


def _sections(equation: Equation, library: Library) -> Iterator[str]:
    regime = equation.regime
    needed = (f"{each.expr} ({each.note})" for each in equation.holds_where)
    yield _list("Applies when", (*(predicate.words() for predicate in regime.require), *needed))
    yield _list("Applies everywhere", [regime.everywhere] if regime.everywhere else [])
    yield _list("Best for", (predicate.words() for predicate in regime.prefer))
    yield _list("Assumes", equation.assumptions)
    yield _raw_list("When not to use it", _failures(equation, library), warn=True)
    confused = (link(library.get(id)) for id in equation.confusable_with if id in library)
    yield _raw_list("Easily confused with", confused, warn=True)
    yield _list("Bounds", (f"{bound.expr}  {bound.note}".strip() for bound in equation.bounds))
    yield _tests(equation)
    yield _raw_list("References", (_reference(each.text, each.doi, each.url) for each in equation.references))
    yield _list("Also called", equation.aliases)
    yield _list("Notes", [equation.notes] if equation.notes else [])


def _failures(equation: Equation, library: Library) -> Iterator[str]:
    for mode in equation.failure_modes:
        use = f"; use {link(library.get(mode.use))}" if mode.use and mode.use in library else ""
        yield f"<strong>{html.escape(mode.when)}</strong>: {html.escape(mode.effect)}{use}"


def _tests(equation: Equation) -> str:
    rows = [
        (
            ", ".join(f"{_code(name)} = {number_words(value)}" for name, value in test.inputs.items()),
            number_words(test.out),
            f"{test.rtol:g}",
            html.escape(test.source),
        )
        for test in equation.tests
    ]
    table = _table(("Inputs", html.escape(equation.output), "Tolerance", "Source"), rows)
    return f'<section><h2>Test vectors</h2><div class="scroll">{table}</div></section>'


def _reference(text: str, doi: str, url: str) -> str:
    shown = html.escape(text)
    where = f"https://doi.org/{doi}" if doi else url
    if re.match(r"https?://", where):
        return f'{shown} <a href="{html.escape(where)}" rel="noreferrer">{html.escape(doi or "source")}</a>'
    return shown


def _list(title: str, items: Iterable[str]) -> str:
    return _raw_list(title, (html.escape(item) for item in items))


def _raw_list(title: str, items: Iterable[str], warn: bool = False) -> str:
    rows = "".join(f"<li>{item}</li>" for item in items)
    kind = ' class="warn"' if warn else ""
    return f"<section{kind}><h2>{title}</h2><ul>{rows}</ul></section>" if rows else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = "".join(f"<th>{cell}</th>" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>"


def _code(name: str) -> str:
    return f"<code>{html.escape(name)}</code>"


def _symbol(equation: Equation, name: str) -> str:
    """A symbol as the picture of the formula shows it, then as programs name it."""
    picture = pictured(equation, name)
    return f"{mathml(picture)} {_code(name)}" if picture else _code(name)


def _unit(unit: str) -> str:
    written = written_unit(unit)
    return html.escape(written) if written != "-" else "–"

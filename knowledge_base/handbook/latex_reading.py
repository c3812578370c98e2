"""Read LaTeX source: headings, paragraphs, whole formulas and rows of tables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ansatz.knowledge_base.handbook.document import TextBlock

_COMMANDS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_LEVELS = {command: level for level, command in enumerate(_COMMANDS, 1)}
_COMMENT = re.compile(r"(?<!\\)%.*")
_FORMULA = re.compile(
    r"\\begin\{(equation|align|alignat|eqnarray|gather|multline|displaymath|math)(\*?)\}.*?\\end\{\1\2\}|\\\[.*?\\\]|\$\$.+?\$\$",
    re.DOTALL,
)
_TABLE = re.compile(
    r"\\begin\{(tabular|tabularx|longtable|array|tabulary|supertabular)(\*?)\}.*?\\end\{\1\2\}", re.DOTALL
)
_BRACED = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_HEADING = re.compile(rf"\\({'|'.join(_LEVELS)})\*?\s*(?:\[[^\]]*\])?\s*{_BRACED}")
_DROPPED = re.compile(
    r"\\(?:label|index|includegraphics|vspace|hspace|bibliography|bibliographystyle|input|include|pagestyle|"
    r"thispagestyle|setcounter|addcontentsline|newcommand|renewcommand|def|usepackage|documentclass|hypersetup|setlength"
    rf"|begin|end)\*?\s*(?:\[[^\]]*\])*(?:{_BRACED})*(?:\[[^\]]*\])*"
)
_KEPT = re.compile(rf"\\(?:[a-zA-Z]+)\*?\s*(?:\[[^\]]*\])?{_BRACED}")
_INLINE = re.compile(r"(?<!\\)\$[^$]+(?<!\\)\$|\\\(.*?\\\)", re.DOTALL)
_MACRO = re.compile(rf"\\(?:re)?newcommand\*?\s*\{{?\\(\w+)\}}?\s*{_BRACED}|\\def\s*\\(\w+)\s*{_BRACED}")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{")
_PICTURE = re.compile(r"\\begin\{(picture|tikzpicture|comment)\}.*?\\end\{\1\}", re.DOTALL)


def find_abbreviations(text: str) -> dict[str, str]:
    """Return the macros of LaTeX source that begin or end an environment, such as `\\be` for an equation."""
    return {
        found[1] or found[3]: body
        for found in _MACRO.finditer(text)
        if _ENVIRONMENT.search(body := found[2] or found[4] or "")
    }


def read_latex(text: str, abbreviations: Mapping[str, str]) -> list[TextBlock]:
    """Return the blocks of LaTeX source: formulas stay whole, rows of tables are lines."""
    text = "\n".join(_COMMENT.sub("", line) for line in text.split("\n"))
    for name, meaning in abbreviations.items():
        text = re.sub(rf"\\{name}(?![a-zA-Z])", lambda _, meaning=meaning: meaning, text)  # type: ignore[misc]
    text = _PICTURE.sub(" ", text)
    _, begin, body = text.partition(r"\begin{document}")
    stored: list[str] = []

    def store(written: str) -> str:
        stored.append(written)
        return f"\n\n\ue000{len(stored) - 1}\ue001\n\n"

    body = _FORMULA.sub(lambda found: store(_clean_formula(found[0])), body if begin else text)
    body = _TABLE.sub(lambda found: "".join(store(row) for row in _split_rows(found[0])), body)
    body = _HEADING.sub(lambda found: store(f"{_LEVELS[found[1]]} {_strip_commands(found[2])}\ue002"), body)
    blocks = []
    for paragraph in re.split(r"\n\s*\n", body):
        if match := re.fullmatch(r"\s*\ue000(\d+)\ue001\s*", paragraph):
            written = stored[int(match[1])]
            level, _, title = written.partition(" ")
            is_heading = written.endswith("\ue002")
            block = TextBlock(title.rstrip("\ue002"), None, int(level)) if is_heading else TextBlock(written)
        else:
            block = TextBlock(_strip_commands(paragraph))
        if re.search(r"\w", block.text):
            blocks.append(block)
    return blocks


def _clean_formula(written: str) -> str:
    return " ".join(re.sub(r"\\label\{[^}]*\}", "", written).split())


def _split_rows(table: str) -> list[str]:
    """Return the rows of a table as lines, with cells separated by bars."""
    inner = re.sub(
        r"\A\\begin\{\w+\*?\}(?:\[[^\]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})*|\\end\{\w+\*?\}\Z", "", table
    )
    inner = re.sub(
        r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot)|\\cline\{[^}]*\}", "", inner
    )
    rows = (re.split(r"(?<!\\)&", row) for row in re.split(r"\\\\(?:\[[^\]]*\])?", inner))
    return [row for cells in rows if (row := " | ".join(map(_strip_commands, cells))).strip(" |")]


def _strip_commands(text: str) -> str:
    """Return text without LaTeX commands; inline formulas stay as they are written."""
    formulas: list[str] = []

    def store(found: re.Match[str]) -> str:
        formulas.append(found[0])
        return f"\ue003{len(formulas) - 1}\ue004"

    text = _DROPPED.sub(" ", _INLINE.sub(store, text)).replace("~", " ")
    text = re.sub(r"\\(?:cite|ref|eqref|pageref|autoref)\w*\*?(?:\[[^\]]*\])*\{([^}]*)\}", r"[\1]", text)
    text = re.sub(r"\\item\b", "\n- ", text)
    while (shorter := _KEPT.sub(r"\1", text)) != text:
        text = shorter
    text = re.sub(r"\\[a-zA-Z]+\*?|[{}]", " ", re.sub(r"\\([%&#$_{}])", r"\1", text)).replace("\\\\", " ")
    text = re.sub("\ue003(\\d+)\ue004", lambda found: formulas[int(found[1])], text)
    return " ".join(text.split())

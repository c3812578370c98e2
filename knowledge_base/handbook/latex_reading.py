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
_CODE = re.compile(
    r"\\begin\{(verbatim|Verbatim|lstlisting|minted|alltt|semiverbatim)(\*?)\}((?:\[[^\n]*\]|\{[^}]*\})*)(.*?)\\end\{\1\2\}",
    re.DOTALL,
)
_VERBATIM = re.compile(r"\\(?:verb\*?|lstinline(?:\[[^\]]*\])?)([^\w\s{*\[])(.*?)\1")
_INCLUDED = re.compile(r"\\(?:input|include|subfile)\s*\{([^}]+)\}")
_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand\*?|providecommand\*?|DeclareMathOperator\*?|def)\s*\{?\\\w+"
)
_EXPANSIONS = 3  # of macros in macros
_PART = re.compile(r"\\(?:begin|end)\{|\\caption\b|\\item\b")
_PICTURE = re.compile(r"\\begin\{(picture|tikzpicture|comment)\}.*?\\end\{\1\}", re.DOTALL)


def find_abbreviations(text: str) -> dict[str, str]:
    """Return the macros without arguments that LaTeX source defines, such as `\\be` for an equation."""
    text = _remove_comments(_CODE.sub("", text))
    return {found[1] or found[3]: found[2] or found[4] or "" for found in _MACRO.finditer(text)}


def find_included_files(text: str) -> list[str]:
    """Return the names of the files that LaTeX source includes."""
    return _INCLUDED.findall(_remove_comments(_CODE.sub("", text)))


def _remove_comments(text: str) -> str:
    return "\n".join(_COMMENT.sub("", line) for line in text.split("\n"))


def _expand(text: str, abbreviations: Mapping[str, str]) -> str:
    """Return text with the meaning of macros, except where they are defined."""
    if not abbreviations:
        return text
    names = "|".join(sorted(map(re.escape, abbreviations), key=len, reverse=True))
    macro = re.compile(rf"({_DEFINITION.pattern})|\\({names})(?![a-zA-Z])(?:\{{\}})?")
    for _ in range(_EXPANSIONS):
        text = macro.sub(lambda found: found[1] or abbreviations[found[2]], text)
    return text


def read_latex(text: str, abbreviations: Mapping[str, str]) -> list[TextBlock]:
    """Return the blocks of LaTeX source: formulas and code stay whole, rows of tables are lines."""
    stored: list[str] = []

    def store(written: str) -> str:
        stored.append(written)
        return f"\n\n\ue000{len(stored) - 1}\ue001\n\n"

    text = _CODE.sub(lambda found: store(_clean_code(found[4])), text)
    text = _PICTURE.sub(" ", _expand(_remove_comments(text), abbreviations))
    _, begin, body = text.partition(r"\begin{document}")
    body = (body if begin else text).partition(r"\end{document}")[0]
    body = _FORMULA.sub(lambda found: store(_clean_formula(found[0])), body)
    body = _TABLE.sub(lambda found: "".join(store(row) for row in _split_rows(found[0])), body)
    body = _HEADING.sub(lambda found: store(f"{_LEVELS[found[1]]} {_strip_commands(found[2])}\ue002"), body)
    body = _PART.sub(lambda found: f"\n\n{found[0]}", body)
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


def _clean_code(written: str) -> str:
    return "\n".join(line.rstrip() for line in written.split("\n") if line.strip())


def _split_rows(table: str) -> list[str]:
    """Return the rows of a table as lines, with cells separated by bars."""
    inner = re.sub(
        r"\A\\begin\{\w+\*?\}(?:\[[^\]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})*|\\end\{\w+\*?\}\Z", "", table
    )
    inner = re.sub(
        r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot)|\\cline\{[^}]*\}", "", inner
    )
    inner = re.sub(r"\\multi(?:column|row)\{[^{}]*\}\{[^{}]*\}", "", inner)
    rows = (re.split(r"(?<!\\)&", row) for row in re.split(r"\\\\(?:\[[^\]]*\])?", inner))
    return [row for cells in rows if (row := " | ".join(map(_strip_commands, cells))).strip(" |")]


def _strip_commands(text: str) -> str:
    """Return text without LaTeX commands; inline formulas stay as they are written."""
    formulas: list[str] = []

    def store(found: re.Match[str]) -> str:
        formulas.append(found[2] if found.re is _VERBATIM else found[0])
        return f"\ue003{len(formulas) - 1}\ue004"

    text = _INLINE.sub(store, _VERBATIM.sub(store, text))
    text = _DROPPED.sub(" ", text).replace("~", " ").replace("\\ ", " ").replace("\\@", "")
    text = re.sub(r"\\(?:cite|ref|eqref|pageref|autoref)\w*\*?(?:\[[^\]]*\])*\{([^}]*)\}", r"[\1]", text)
    text = re.sub(r"\\item\b\s*(?:\[([^\]]*)\])?", lambda found: f"- {found[1] or ''} ", text)
    while (shorter := _KEPT.sub(r"\1", text)) != text:
        text = shorter
    text = re.sub(r"\\[a-zA-Z]+\*?|[{}]", " ", re.sub(r"\\([%&#$_{}])", r"\1", text)).replace("\\\\", " ")
    text = re.sub("\ue003(\\d+)\ue004", lambda found: formulas[int(found[1])], text)
    return " ".join(text.split())

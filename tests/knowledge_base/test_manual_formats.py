"""Formats of manuals: their content becomes text under headings, without markup and what surrounds it."""

import pytest

from ansatz.knowledge_base.handbook import index_handbook

PUMP = "A centrifugal pump needs a net positive suction head above the required one, or it cavitates."


def read(path):
    return index_handbook(path, encoder=None)[0]


PAGE = """<html><head><title>Pump &mdash; Works</title></head><body>
<div role="search">Search docs</div><header>Works</header><div role="main"><div role="navigation">up</div>
<h2>Seal<a class="headerlink" href="#seal" title="Link">#</a></h2><p>The seal is dry<a href="#n1">[1]</a>.</p>
<table><tr><td>menu</td><td><h3>Layout</h3><p>One.</p><p>Two.</p></td></tr></table>
<table><tr><td><p>a</p><p>b</p></td><td>c<table><tr><td>d</td><td>e</td></tr></table></td></tr></table>
<math><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></math> <script type="math/tex">y_2</script>
<button>Copy</button></div><footer>Copyright</footer></body></html>"""


def test_html_has_its_main_content_and_title_only(tmp_path):
    """Menus, footers and link signs are left out; a table for the layout is not a row of data."""
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    assert [(each.section, each.text) for each in read(tmp_path).passages] == [
        ("Pump — Works > Seal", "The seal is dry[1].\nmenu"),
        ("Pump — Works > Seal > Layout", "One.\nTwo.\na b | c\nd | e\n$x_1$ $y_2$"),
    ]


def test_html_article_is_the_content_if_it_is_most_of_it(tmp_path):
    pages = {"whole": ("Prev Next", PUMP), "teaser": (PUMP, "Read more.")}
    for name, (around, article) in pages.items():
        (tmp_path / f"{name}.html").write_text(
            f"<main><p>{around}</p><article><h1>A</h1><p>{article}</p></article></main>", encoding="utf-8"
        )
    text = {each.file: "" for each in read(tmp_path).files}
    for each in read(tmp_path).passages:
        text[each.file] += each.text
    assert text == {"whole.html": PUMP, "teaser.html": f"{PUMP}Read more."}


def test_html_tables_without_end_tags(tmp_path):
    (tmp_path / "a.html").write_text(
        "<table><tr><td>a<td>b<tr><th>c<td>d</table><ul><li>e<li>f</ul>", encoding="utf-8"
    )
    assert read(tmp_path).passages[0].text == "a | b\nc | d\ne\nf"


def test_html_in_the_encoding_that_it_declares(tmp_path):
    page = "<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'><p>Die Größe ist 3 m.</p>"
    (tmp_path / "a.html").write_bytes(page.encode("latin-1"))
    assert read(tmp_path).passages[0].text == "Die Größe ist 3 m."


def test_copies_that_sphinx_writes_are_left_out(tmp_path):
    names = ("a.html", "objects.inv", "search.html", "genindex.html", "_sources/a.rst.txt", "_static/b.html")
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"<p>{PUMP} {name}</p>", encoding="utf-8")
    assert [each.file for each in read(tmp_path).files] == ["a.html"]


@pytest.mark.parametrize("front", ['---\ntitle: "Pump: 2"\n---\n', "+++\ntitle = 'Pump: 2'\n+++\n"])
def test_front_matter_of_markdown_names_the_page(tmp_path, front):
    (tmp_path / "a.md").write_text(f"{front}## Seal {{#seal}}\n\n{PUMP}\n", encoding="utf-8")
    assert [each.section for each in read(tmp_path).passages] == ["Pump: 2 > Seal"]


TEX = r"""\newcommand{\pump}{centrifugal pump}\begin{document}\section*{Pumps} The \pump\ needs \verb|head_|. % comment
\begin{itemize}\item first \item[b] second\end{itemize}\begin{lstlisting}[language={[90]Fortran}]
\section{code} % text
\end{lstlisting}\caption{A \texttt{pump}.}\begin{tabular}{ll} \multicolumn{2}{c}{joint} \\ a & b \\ \end{tabular}
\input{valves}\end{document} after the end"""


def test_latex_macros_code_and_included_files(tmp_path, caplog):
    (tmp_path / "a.tex").write_text(TEX, encoding="utf-8")
    lines = ["The centrifugal pump needs head_.", "- first", "- b second", r"\section{code} % text"]
    passage = read(tmp_path / "a.tex").passages[0]
    assert (passage.section, passage.text.split("\n")) == ("Pumps", [*lines, "A pump.", "joint", "a | b"])
    assert [record.args for record in caplog.records] == [("a.tex", "valves")]


def test_excluded_files_are_not_read(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "a.md").write_text(PUMP, encoding="utf-8")
    (tmp_path / "figures" / "b.pdf").write_bytes(b"%PDF-1.4 nothing")
    found, _ = index_handbook(tmp_path, encoder=None, exclude=["figures/*"])
    assert [each.file for each in found.files] == ["a.md"]


RST = r"""=====
Title
=====

Pump
====

.. _label:

Text with ``code``, :math:`x_1`, :ref:`the valve <valve>` and a `link <http://x>`_.
Note **bold**::

   def f(x):
       return x

.. note:: Keep dry.

   More text of the note.

.. comment that is left out
   also this

.. code-block:: python
   :linenos:

   # TEARDOWN
   stop()

.. math::
   :label: eq1

   E = m c^2

.. list-table:: Limits
   :header-rows: 1

   * - Name
     - Value
   * - head
     - 3 m

+------+-------+
| k    | v     |
+======+=======+
| head | 3 m   |
|      | more  |
+------+-------+

===== =====
 a     b
===== =====
 1     2
       3
===== =====

.. figure:: a.png
   :width: 3

   Caption of the figure.

.. [1] Footnote text.

Valve
====

End.
"""
RST_TEXT = r"""Text with code, $x_1$, the valve and a link. Note bold:
def f(x):
    return x
Keep dry.
More text of the note.
# TEARDOWN
stop()
$$E = m c^2$$
Limits
Name | Value
head | 3 m
k | v
head | 3 m more
a | b
1 | 2 3
Caption of the figure.
[1] Footnote text."""


def test_restructured_text_without_its_markup(tmp_path):
    """Directives, roles, tables, code and formulas are text; titles with a line above have their own level."""
    (tmp_path / "a.rst").write_text(RST, encoding="utf-8")
    assert [(each.section, each.text) for each in read(tmp_path).passages] == [
        ("Title > Pump", RST_TEXT),
        ("Title > Valve", "End."),
    ]


def test_plain_text_with_lists_and_tables(tmp_path):
    """Items of lists are lines; two spaces after a sentence are not a table."""
    text = "1. SCOPE\n\nThe pump has  \ntwo parts.  It is dry.  It is red.\n\nSteps:\n a) Start\n    it.\n b) Stop it.\n\nhead    3 m\nflow    2 l/s\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    lines = ["The pump has two parts. It is dry. It is red.", "Steps:", "a) Start it.", "b) Stop it."]
    passage = read(tmp_path).passages[0]
    assert (passage.section, passage.text.split("\n")) == (
        "1. SCOPE",
        [*lines, "head    3 m", "flow    2 l/s"],
    )

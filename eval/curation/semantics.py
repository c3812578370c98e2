"""Stage 2: whether a candidate is a calculation task at all, by rules that name what they saw.

The three patterns that TPS-CalcBench rejects (arXiv:2604.17966, section III.4), its limits of scope
(table 2), and what makes a question depend on something that is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ansatz.eval.curation.candidates import Candidate, Note
from ansatz.eval.curation.requests import has_request

_FRAGMENT_DIGITS = re.compile(r"(?<![\d.,eE^=+\-])(?<!= )\d{6,}(?![\d.])")
_TICKS = re.compile(r"(?:(?<![\w.])[-−]?\d+(?:\.\d+)?[ \t,;]+){6,}")
_AXIS = re.compile(
    r"(?<![\w/^·*(])(?:[xyzrtTpqhuvVMθφρ]|rho|theta|eta|tau)(?:_\w{1,3})?\s?/\s?(?:\(|\[)?"
    r"(?:mm|cm|m|km|ms|s|K|Pa|kPa|MPa|bar|deg|W|kW|MW|kg|J|kJ|MJ)(?:/[a-z]+\d?)?(?![\w/^·*])(?!\s*=)"
)
_CAPTION = re.compile(r"^\s*(?:fig(?:ure|\.)|table|tab\.|图|表)\s*\d+(?:[.\-–]\d+)*", re.IGNORECASE)
_EQUATION_NUMBER = re.compile(
    r"(?:eqs?\.?|equations?|式|方程|公式)\s*[(（]?\s*(\d+)\s*[-–.]\s*(\d+)\w?\s*[)）]?", re.IGNORECASE
)
_EQUATION_NAME = re.compile(
    r"\s*(?:eqs?\.?|equation|式)?\s*[(]?\d+(?:\s*[-–.]\s*\d+)?\w?[)]?\s*$", re.IGNORECASE
)
_READS_FIGURE = re.compile(
    r"\b(?:from|using|use|read(?:ing)? (?:off )?(?:from )?|with the help of)\s+(?:the\s+)?"
    r"(?:figures?\b|figs?\.|(?:chart|graph|plot|curve|diagram)\b)|根据图|由图|从图|查图",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:example|problem|exercise|section|sec\.|chapter|table|appendix|fig(?:ure|\.)|eqs?\.|equation)\s*"
    r"\d+(?:[.\-–]\d+)*|\b(?:eqs?\.?|equations?)\s*\(\d+|(?<![公系程])式\s*[(（]\d+(?:[-–.]\d+)?[)）]"
    r"|\b(?:previous|preceding|above|foregoing) (?:example|problem|exercise|section)\b"
    r"|(?:例题?|习题|表|附录|图|章)\s*\d+|上题|上例|前例",
    re.IGNORECASE,
)
_SIMULATION = re.compile(
    r"\b(?:run|perform|set up|using|use|with|by|from|via)\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,3}?"
    r"(?:CFD|DSMC|FEA|FEM|finite[- ](?:element|volume) (?:method|model|analysis|simulation)|Monte[- ]Carlo|"
    r"Navier[-–]Stokes (?:solver|simulation|code)|neural network|machine[- ]learning)\b"
    r"|\b(?:mesh|grid)[- ](?:convergence|independence) study\b|"
    r"(?:^|[，。；])(?:请|试)?(?:用(?!于)|采用|进行|运行|借助|通过)[^，。；]{0,8}(?:数值模拟|有限元|蒙特卡罗)",
    re.IGNORECASE,
)

Finding = tuple[str, str]
"""The name of a reason and one line that says what was seen."""


def rejection(candidate: Candidate) -> Finding | None:
    """Why a candidate is no calculation task within scope, or None."""
    return next((found for found in _findings(candidate) if found), None)


def notes(candidate: Candidate) -> Iterator[Note]:
    """What a reviewer should look at: references to something that is not in the question."""
    if found := _ELSEWHERE.search(candidate.text):
        yield Note("self_contained", f"refers to {found[0].strip()!r}, which is not part of the question")


def equation_references(text: str) -> set[str]:
    """The numbers that a text states as numbers of equations: "6", "85" and "6.85" for Eq. (6-85)."""
    found = _EQUATION_NUMBER.findall(text)
    return {number for pair in found for number in (*pair, ".".join(pair))}


def _findings(candidate: Candidate) -> Iterator[Finding | None]:
    text = candidate.text
    yield _figure_fragment(candidate)
    yield _equation_numbers(candidate)
    if candidate.fields.get("requires_simulation") is True:
        yield "needs_simulation", "requires_simulation is true"
    if found := _SIMULATION.search(text):
        yield "needs_simulation", f"{found[0].strip()!r} is out of scope"
    if found := _READS_FIGURE.search(text):
        yield "needs_figure", f"{found[0].strip()!r}: a figure has to be read"
    if not has_request(text):
        yield "no_request", "nothing is asked for: a narrative passage"


def _figure_fragment(candidate: Candidate) -> Finding | None:
    """Axis labels, tick marks, coordinates and captions that were taken for a problem."""
    text = candidate.text
    if found := _CAPTION.match(text):
        return "figure_fragment", f"begins as the caption {found[0].strip()!r}"
    axes = _AXIS.findall(text)
    ticks = _TICKS.search(text)
    stated = {
        f"{each['value']:.0f}" for each in candidate.given if isinstance(each.get("value"), int | float)
    }
    runs = [run for run in _FRAGMENT_DIGITS.findall(text) if run not in stated]
    if len(axes) >= 2 or (axes and (ticks or runs)):
        return "figure_fragment", f"axis labels such as {axes[0].strip()!r}"
    if runs and not _stands_with_unit(text, runs[0]):
        return "figure_fragment", f"concatenated digits {runs[0]!r}"
    if ticks:
        return "figure_fragment", f"a row of bare numbers, {ticks[0].strip()[:40]!r}"
    return None


def _stands_with_unit(text: str, run: str) -> bool:
    return re.search(rf"{run}\s?(?:K|m|s|kg|g|Pa|J|W|N|Hz|mol|rad|deg|1/|%)(?:\b|/)", text) is not None


def _equation_numbers(candidate: Candidate) -> Finding | None:
    """Givens that are all numbers of equations, such as 6 and 85 of "Eq. (6-85)"."""
    if not candidate.given:
        return None
    references = equation_references(candidate.text)
    if all(_is_equation_number(each, references) for each in candidate.given):
        shown = ", ".join(str(each.get("value", each["name"])) for each in candidate.given)
        return "equation_numbers", f"all givens ({shown}) are numbers of equations"
    return None


def _is_equation_number(given: dict[str, object], references: set[str]) -> bool:
    value, name = given.get("value"), str(given["name"])
    if given.get("unit") not in (None, "", "-"):
        return False
    if isinstance(value, str) and value:
        return _EQUATION_NAME.match(value) is not None
    if isinstance(value, int | float):
        named = re.match(r"\s*(?:eqs?\b|equation|式)", name, re.IGNORECASE) is not None
        return float(value) >= 0 and (named or f"{value:g}" in references)
    return bool(name) and _EQUATION_NAME.match(name) is not None

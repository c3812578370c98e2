"""Records of TPBench's public form, and what makes a problem of one.

The public set has the fields `problem_id`, `domain`, `difficulty_level`, `problem`, `solution`, `answer`,
`code_answer_requirements` and `reference_implementation`; `test_inputs` (a list of inputs, each by name or
in order), `relative_tolerance`, `absolute_tolerance` and `title` may stand beside them. Names are matched
without regard to case and punctuation, and under those of the paper's appendix A; others are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, assemble
from ansatz.eval.benchmarks.tpbench.inputs import BadInput, drawn, stated
from ansatz.eval.benchmarks.tpbench.signature import Signature, read_signature
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import CallableTarget, Problem, ReferenceSolution, Tolerance
from ansatz.quantities.did_you_mean import nearest

BENCHMARK = "tpbench"
LEVELS = {
    "1": "easy undergraduate",
    "2": "undergraduate",
    "3": "easy graduate",
    "4": "graduate",
    "5": "research",
}

_NAMES = {
    "problem_id": ("problemid", "id"),
    "title": ("problemtitle", "title"),
    "domain": ("domain", "domainoftp"),
    "difficulty_level": ("difficultylevel", "level", "difficulty"),
    "problem": ("problem", "problemstatement", "question"),
    "solution": ("solution", "problemsolution", "expertsolution"),
    "answer": ("answer", "finalanswer"),
    "code_answer_requirements": (
        *("codeanswerrequirements", "answerrequirements", "autoverifierinstructions"),
        "coderequirements",
    ),
    "reference_implementation": ("referenceimplementation", "referencecode", "solutioncode"),
    "test_inputs": ("testinputs", "testcases", "inputs"),
    "relative_tolerance": ("relativetolerance",),
    "absolute_tolerance": ("absolutetolerance",),
}
_NEEDED = ("problem", "reference_implementation")
_RELATIVE = 1e-6  # far above rounding and quadrature, far below a missing factor


def problem_of(record: Any, position: int) -> Problem:
    """A record as a problem. Raises InvalidData with a line `field: what is wrong` for each fault."""
    if not isinstance(record, Mapping):
        raise InvalidData(f"not a record but a {type(record).__name__}")
    fields = _fields(record)
    faults = [_missing(name, record) for name in _NEEDED if not _text(fields.get(name))]
    if faults:
        raise InvalidData("\n".join(faults))
    requirements = _text(fields.get("code_answer_requirements"))
    signature = read_signature(requirements) or read_signature(_text(fields["reference_implementation"]))
    if signature is None:
        raise InvalidData("code_answer_requirements: holds no function header `def name(...)`")
    level = _level(fields.get("difficulty_level"))
    name = _text(fields.get("problem_id")) or _text(fields.get("title")) or f"problem {position}"
    id = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or f"problem-{position}"
    tags = {
        "level": level,
        "domain": _text(fields.get("domain")),
        "title": _text(fields.get("title")) or name,
    }
    return Problem(
        id=f"{BENCHMARK}-{id}",
        family=f"{BENCHMARK}-{id}",
        benchmark=BENCHMARK,
        question=_question(_text(fields["problem"]), requirements, signature),
        targets=(_target(fields, signature, id),),
        reference=ReferenceSolution(text=_solution(fields)),
        tags={name: value for name, value in tags.items() if value},
    )


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are known, by their public name; those of a nested record count as well."""
    folded: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping) and _folded(key) != "testinputs":
            folded |= {_folded(inner): each for inner, each in value.items()}
        folded.setdefault(_folded(key), value)
    found: dict[str, Any] = {}
    for name, spellings in _NAMES.items():
        for spelling in spellings:
            if folded.get(spelling) not in (None, ""):
                found.setdefault(name, folded[spelling])
    return found


def _missing(name: str, record: Mapping[str, Any]) -> str:
    return f"{name}: is missing{nearest(name, [str(key) for key in record], shown=0)}"


def _target(fields: Mapping[str, Any], signature: Signature, id: str) -> CallableTarget:
    given = fields.get("test_inputs")
    if given is not None and not isinstance(given, list):
        raise InvalidData(f"test_inputs: must be a list, not {given!r}"[:200])
    try:
        inputs = stated(signature, given) if given else drawn(signature, id)
    except BadInput as error:
        raise InvalidData(f"test_inputs: {error}") from error
    return CallableTarget(
        name=signature.name,
        weight=1.0,
        description=_text(fields.get("answer")),
        value=_reference(_text(fields["reference_implementation"]), signature),
        parameters=tuple(signature.parameters),
        inputs=inputs,
        drawn=not given,
        tolerance=Tolerance(
            relative=_tolerance(fields, "relative_tolerance", _RELATIVE),
            absolute=_tolerance(fields, "absolute_tolerance", 0.0),
        ),
    )


def _reference(text: str, signature: Signature) -> str:
    """The program of the reference, which defines the function under the name asked for."""
    fenced = text if "```" in text or "\\begin{" in text else f"```python\n{text}\n```"
    found = assemble(fenced, signature.name, tuple(signature.parameters))
    if isinstance(found, NoProgram):
        raise InvalidData(f"reference_implementation: {found.outcome}: {found.reason}")
    if found.function == signature.name:
        return found.source
    return f"{found.source}\n\n{signature.name} = {found.function}\n"


def _tolerance(fields: Mapping[str, Any], name: str, default: float) -> float:
    try:
        value = float(fields.get(name, default))
    except (TypeError, ValueError):
        value = -1.0
    if not 0 <= value < 1e300:
        raise InvalidData(f"{name}: must be a number of 0 or more, not {fields[name]!r}")
    return value


def _level(given: Any) -> str:
    """1 to 5, also out of "3 - easy grad" or 3.0; "" where none is stated."""
    text = _text(given)
    if not text:
        return ""
    number = re.search(r"\d+", text)
    if number is None or number[0] not in LEVELS:
        raise InvalidData(f"difficulty_level: {text!r} is not valid (valid: {', '.join(LEVELS)})")
    return number[0]


def _question(problem: str, requirements: str, signature: Signature) -> str:
    header = requirements or f"def {signature.name}({', '.join(signature.parameters)}):"
    bare = header.startswith(("def ", "import ", "from "))
    asked = f"Implement this function:\n\n```python\n{header}\n```" if bare else header
    return f"{problem}\n\n{_how_to_answer()}\n\n{asked}"


def _solution(fields: Mapping[str, Any]) -> str:
    parts = (_text(fields.get("solution")), _text(fields.get("answer")))
    return "\n\nFinal answer: ".join(filter(None, parts))


@cache
def _how_to_answer() -> str:
    return Path(__file__).with_name("question.md").read_text(encoding="utf-8").strip()


def _folded(key: Any) -> str:
    return re.sub(r"[^a-z0-9]", "", str(key).lower())


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()

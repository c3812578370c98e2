"""Write the page on which an annotator scores answers: one file that works without a server or a network.

The page names neither arm nor model. The content security policy allows its scripts and styles by their
hashes; the data are JSON, which no browser runs.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import ansatz.experiments.view
from ansatz.errors import BadInput
from ansatz.eval.judging.request import format_reference
from ansatz.eval.judging.rubric import Rubric
from ansatz.experiments.labelling.answers import DistinctAnswer
from ansatz.experiments.ledger.file import private_files

_STATIC = files(__package__) / "static"
_VIEW = files(ansatz.experiments.view) / "static"


@private_files()
def write_page(
    file: Path,
    answers: Sequence[DistinctAnswer],
    rubric: Rubric,
    annotator: str,
    *,
    findings: Mapping[str, str] | None = None,
    given: Mapping[str, str] | None = None,
) -> None:
    """Write the page of one annotator.

    Parameters
    ----------
    file
        The page.
    answers
        What to label, in the order of the page.
    rubric
        The criteria.
    annotator
        The name that the labels get.
    findings
        By answer, the verifier's findings, which the annotator can open.
    given
        By answer, the scores of other annotators. The labels of such a page adjudicate.
    """
    items = [_describe(answer, findings or {}, given or {}) for answer in answers]
    content = {
        "annotator": annotator,
        "rubric": rubric.sha256,
        "file": f"labels-{annotator}.jsonl",
        "adjudicates": given is not None,
        "criteria": [_describe_criterion(rubric, name) for name in rubric.criteria],
        "items": items,
    }
    content["id"] = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
    style = _read(_VIEW / "style.css") + _read(_STATIC / "label.css")
    names = (_VIEW / "vendor" / "temml.js", _VIEW / "dom.js", _VIEW / "text.js", _STATIC / "label.js")
    scripts = [_read(name).replace("</script", "<\\/script") for name in names]
    allowed = " ".join(map(_hash, scripts))
    nothing = "default-src 'none'; base-uri 'none'; form-action 'none'"
    policy = f"{nothing}; script-src {allowed}; style-src {_hash(style)}"
    values = {
        "policy": policy,
        "style": style,
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
        "data": json.dumps(content, separators=(",", ":")).replace("<", "\\u003c"),  # last: it may hold {…}
    }
    page = _read(_STATIC / "label.html")
    for name, value in values.items():
        before, _, after = page.partition(f"{{{name}}}")
        page = before + value + after
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")


def check_annotator(name: str) -> str:
    """Return the name of an annotator, which becomes part of file names. Raises BadInput."""
    if not name or not all(each.isalnum() or each in "-_" for each in name) or len(name) > 40:
        raise BadInput(f"--annotator: {name!r} needs letters, digits, - or _, at most 40, such as ann")
    return name


def _describe(
    answer: DistinctAnswer, findings: Mapping[str, str], given: Mapping[str, str]
) -> dict[str, Any]:
    problem = answer.problem
    return {
        "id": answer.id,
        "question": problem.ask().text,
        "reference": format_reference(problem) or "The problem has no reference.",
        "answer": answer.text,
        **({"findings": findings[answer.id]} if answer.id in findings else {}),
        **({"given": given[answer.id]} if answer.id in given else {}),
    }


def _describe_criterion(rubric: Rubric, name: str) -> dict[str, Any]:
    criterion = rubric.criteria[name]
    low, high = criterion.scale
    if low < 0 or high > 9:
        raise BadInput(f"criterion {name}: points from {low} to {high} have no keys; use 0 to 9")
    names = {value: label for label, value in (criterion.labels or {}).items()}
    return {
        "name": name,
        "title": criterion.title,
        "text": criterion.text.partition("\n\n")[2] if criterion.title else criterion.text,
        "low": low,
        "high": high,
        "names": names,
    }


def _read(file: Any) -> str:
    return str(file.read_text(encoding="utf-8"))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

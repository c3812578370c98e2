"""Stored answers to ThermoQA questions: JSONL lines of `id`, `response_text` and perhaps `extracted`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.thermoqa.published_reading import Value
from ansatz.eval.benchmarks.thermoqa.questions import json_lines, published_key
from ansatz.eval.problem import LabelTarget, Problem
from ansatz.quantities.did_you_mean import nearest

_HINTS = 20  # unknown ids for which the nearest known one is sought


class ResponseFileError(AnsatzError, ValueError):
    """A response file that cannot be used; the message names file, line and field."""


@dataclass(frozen=True)
class Response:
    """One stored answer: its text and the values extracted from it, each None where the line has none.

    `reasoning` is what the model thought before it, where that was stored (`thinking_text`).
    """

    text: str | None
    extracted: Mapping[str, Value] | None
    reasoning: str = ""


@dataclass(frozen=True)
class Responses:
    """The answers by question id, and one line on each id that is missing, unknown or given twice.

    `missing` has one line for a tier that is not answered at all; `missing_ids` counts its ids one by one.
    """

    by_id: Mapping[str, Response]
    missing: tuple[str, ...] = ()
    missing_ids: int = 0
    unknown: tuple[str, ...] = ()
    duplicate: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def read_responses(file: Path, problems: Sequence[Problem], places: Mapping[str, str]) -> Responses:
    """The answers to these problems; of several to one question the first counts.

    `places` says in which file and line each question stands. Raises ResponseFileError for a line that is no
    answer.
    """
    asked = {problem.id: problem for problem in problems}
    found: dict[str, Response] = {}
    lines: dict[str, int] = {}
    unknown: list[str] = []
    duplicate: list[str] = []
    ignored: list[str] = []
    for number, content in json_lines(file, ResponseFileError):
        place = f"{file}:{number}"
        id = _id(content, place)
        if id not in asked:
            meant = nearest(id, asked, shown=0) if len(unknown) < _HINTS else ""
            unknown.append(f"{place}: id: {id!r} is not among the questions{meant}")
        elif id in found:
            duplicate.append(f"{place}: id: {id!r} is already on line {lines[id]}, which counts")
        else:
            found[id], extra = _response(content, asked[id], place)
            lines[id] = number
            ignored += extra
    missing = tuple(_missing(problems, found, places))
    lacking = len(asked) - len(found)
    return Responses(found, missing, lacking, tuple(unknown), tuple(duplicate), tuple(ignored))


def _missing(
    problems: Sequence[Problem], found: Mapping[str, Response], places: Mapping[str, str]
) -> Iterator[str]:
    tiers: dict[str, list[str]] = {}
    for problem in problems:
        tiers.setdefault(str(problem.tags["tier"]), []).append(problem.id)
    for tier, ids in tiers.items():
        if found and not any(id in found for id in ids):
            file = places[ids[0]].rpartition(":")[0]
            yield f"{file}: none of the {len(ids)} questions of tier {tier} has a response"
        else:
            yield from (f"{places[id]}: id: {id!r} has no response" for id in ids if id not in found)


def _id(content: dict[str, Any], place: str) -> str:
    if not isinstance(content, dict):
        raise ResponseFileError(f"{place}: the line: not a JSON object but {type(content).__name__}")
    id = content.get("id")
    if not isinstance(id, str):
        fault = "Input should be a string" if "id" in content else f"Field required{nearest('id', content)}"
        raise ResponseFileError(f"{place}: id: {fault}")
    return id


def _response(content: dict[str, Any], problem: Problem, place: str) -> tuple[Response, list[str]]:
    extracted = content.get("extracted")
    if "response_text" not in content and extracted is None:
        raise ResponseFileError(f"{place}: response_text: Field required{nearest('response_text', content)}")
    for field in ("response_text", "thinking_text"):
        if not isinstance(content.get(field), str | None):
            raise ResponseFileError(f"{place}: {field}: Input should be a string")
    if not isinstance(extracted, dict | None):
        raise ResponseFileError(f"{place}: extracted: Input should be an object of values by key")
    values, ignored = (None, []) if extracted is None else _values(extracted, problem, place)
    text = content["response_text"] or "" if "response_text" in content else None
    return Response(text, values, content.get("thinking_text") or ""), ignored


def _values(extracted: dict[str, Any], problem: Problem, place: str) -> tuple[dict[str, Value], list[str]]:
    """Values by target name, from published keys or target names; a null is a value not found."""
    targets = {published_key(problem, target): target for target in problem.targets}
    targets |= {target.name: target for target in problem.targets}
    values: dict[str, Value] = {}
    ignored = []
    for key, value in extracted.items():
        if key not in targets:
            ignored.append(
                f"{place}: extracted.{key}: {problem.id} does not ask for it{nearest(key, targets, 0)}"
            )
        elif value is not None:
            name, label = targets[key].name, isinstance(targets[key], LabelTarget)
            read = _number(value) if not label else value if isinstance(value, str) else None
            if read is None:
                wanted = "a string" if label else "a number"
                raise ResponseFileError(f"{place}: extracted.{key}: Input should be {wanted}, not {value!r}")
            if label or math.isfinite(float(read)):
                values[name] = read
    return values, ignored


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None

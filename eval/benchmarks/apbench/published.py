"""Read public files of the paper's shape: sets of a `content` and `questions` with solutions and answers.

A file is a JSON list of sets, one set, or an object of sets by name. A set holds a list under `questions`,
each with `question`, `solution`, `answer` and `format` (numeric or message), or parallel lists of these
beside one another. Names are matched without regard to case, hyphens, and a plural s. A numeric answer may
be a number, a list, or text such as `-29.733 km²/s²`; what follows a number is its unit if it reads so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.validation import InvalidData, read_json
from ansatz.eval.problem import MessageTarget, NumberTarget, Problem, ReferenceSolution, Target
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.markup import plain
from ansatz.quantities.notation import read_number, read_unit

_FIELDS = ("question", "solution", "answer", "format", "source")
_FORMATS = ("numeric", "message")


def read_published(path: Path) -> tuple[Problem, ...]:
    """Every question of a file, in order. Raises InvalidData with one line for each thing that is wrong."""
    problems: list[Problem] = []
    lines: list[str] = []
    for name, one in _sets(read_json(path)):
        try:
            problems += _problems(name, one)
        except InvalidData as error:
            lines += [f"{path}: {line}" for line in str(error).splitlines()]
    if not problems and not lines:
        lines.append(f"{path}: holds no sets of questions")
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(problems)


def _sets(document: Any) -> Iterator[tuple[str, Any]]:
    """Each set with its name, or its place in the file."""
    if isinstance(document, Mapping) and not {"question", "content"} & {_folded(key) for key in document}:
        for name, one in document.items():
            if isinstance(one, list):
                yield from ((f"{name}-{index}", each) for index, each in enumerate(one, 1))
            else:
                yield str(name), one
        return
    for index, one in enumerate(document if isinstance(document, list) else [document], 1):
        yield f"set-{index}", one


def _problems(name: str, one: Any) -> list[Problem]:
    if not isinstance(one, Mapping):
        raise InvalidData(f"{name}: must be an object with content and questions")
    fields = {_folded(key): value for key, value in one.items()}
    content = fields.get("content") or ""
    if not isinstance(content, str):
        raise InvalidData(f"{name}.content: must be text")
    questions = list(_questions(name, fields))
    problems: list[Problem] = []
    lines: list[str] = []
    for position, question in enumerate(questions, 1):
        place = f"{name}.questions[{position - 1}]"
        try:
            id = f"{name}-q{position}"
            follows = tuple(each.id for each in problems)
            problems.append(_problem(id, name, content, question, follows))
        except InvalidData as error:
            lines.append(f"{place}.{error}")
    if lines:
        raise InvalidData("\n".join(lines))
    return problems


def _questions(name: str, fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The questions as objects, whichever of the two shapes the file has."""
    asked = fields.get("question")
    if isinstance(asked, str):
        asked = [asked]
    if not isinstance(asked, list) or not asked:
        seen = list(fields)
        raise InvalidData(f"{name}: has no list of questions{nearest('questions', seen) if seen else ''}")
    for index, each in enumerate(asked):
        if isinstance(each, Mapping):
            yield {_folded(key): value for key, value in each.items()}
            continue
        beside = {field: _nth(name, field, fields.get(field), index, len(asked)) for field in _FIELDS[1:]}
        yield {"question": each, **beside}


def _nth(name: str, field: str, values: Any, index: int, count: int) -> Any:
    if not isinstance(values, list):
        return values
    if len(values) != count:
        raise InvalidData(f"{name}.{field}s: {len(values)} for {count} questions")
    return values[index]


def _problem(
    id: str, family: str, content: str, question: Mapping[str, Any], follows: tuple[str, ...]
) -> Problem:
    text = question.get("question")
    if not isinstance(text, str) or not text.strip():
        raise InvalidData("question: is missing")
    if question.get("answer") in (None, ""):
        raise InvalidData("answer: is missing")
    stated = _format(question)
    targets = _targets(stated, question["answer"])
    kind = "message" if targets[0].kind == "message" else "list" if len(targets) > 1 else "number"
    source = str(question.get("source") or "")
    return Problem(
        id=id,
        family=family,
        benchmark="apbench",
        context=content,
        question=text,
        targets=targets,
        reference=ReferenceSolution(text=_text(question.get("solution"))),
        follows=follows,
        tags={
            "set": family,
            "position": str(len(follows) + 1),
            "kind": kind,
            "format": stated,
            **({"source": source} if source else {}),
        },
    )


def _format(question: Mapping[str, Any]) -> str:
    """As stated; where nothing is, an answer that is one bare number is numeric."""
    stated = str(question.get("format") or "").strip().lower()
    if not stated:
        text = plain(_text(question["answer"])).strip()
        number = read_number(text)
        return "numeric" if number and number.end == len(text) else "message"
    for known in _FORMATS:
        if stated.startswith(known):
            return known
    raise InvalidData(f"format: {stated!r} is not valid{nearest(stated, _FORMATS)}")


def _targets(kind: str, answer: Any) -> tuple[Target, ...]:
    """A message, or each number of the answer; one without any number can only be compared as a message."""
    text = _text(answer)
    found = list(_quantities(plain(text))) if kind == "numeric" else []
    if not found:
        return (MessageTarget(name="message", weight=1.0, value=text),)
    units = [unit for _, unit in found if unit != "-"][-1:] or ["-"]
    names = ["answer"] if len(found) == 1 else [f"answer_{index}" for index in range(1, len(found) + 1)]
    return tuple(
        NumberTarget(name=name, unit=units[0] if unit == "-" else unit, weight=1 / len(found), value=value)
        for name, (value, unit) in zip(names, found, strict=True)
    )


def _quantities(text: str) -> Iterator[tuple[float, str]]:
    """Every number of a plain text, with the unit that stands behind it."""
    at = 0
    while at < len(text):
        number = read_number(text, at) if not at or not re.match(r"[\w.^]", text[at - 1]) else None
        if number is None:
            at += 1
            continue
        unit, at = read_unit(text, number.end)
        yield number.value, unit or "-"


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_text(each) for each in value)
    return "" if value is None else str(value)


def _folded(key: Any) -> str:
    name = re.sub(r"[\s_-]", "", str(key)).lower()
    return name.removesuffix("s")

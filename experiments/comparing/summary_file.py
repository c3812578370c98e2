"""The file of a run's summary: JSON with a line for each problem, so that a diff shows what changed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ansatz.errors import InvalidData
from ansatz.eval.score import Dimension
from ansatz.experiments.comparing.summary import RunSummary, SummarizedProblem
from ansatz.experiments.ledger import canonical_hash

FORMAT = 1
"""The version of the format. A newer one is refused."""
_KIND = "ansatz_summary"
_CELL = re.compile(r"(-|\d*\.?\d+)(?:/(\d+))?")
_SYSTEMS = ";"
_ABOUT = (
    "Problems by id, or by family and +rest of the id. Then hashes of question and key, and for each model "
    "and arm the sum of each dimension over the repeats: /n if over n, - if unscored, empty if as the last."
)
Problems = dict[str, str | dict[str, str]]


def write_summary(summary: RunSummary) -> str:
    """Return the text of a summary file. Equal summaries give equal texts."""
    head = {
        _KIND: FORMAT,
        "written_by": summary.written_by,
        "name": summary.name,
        "baseline": summary.baseline,
        "primary": list(summary.primary),
        **({"levels": _nest(summary.levels)} if summary.levels else {}),
        "simulated": sorted(summary.simulated),
        "seed": summary.seed,
        "planned": summary.planned,
        "finished": summary.finished,
        "repeats": int(summary.counts.max(initial=1)),
        "models": dict(summary.models),
        "arms": dict(summary.arms),
        "dimensions": [_shorten(each) for each in summary.dimensions.values()],
        "scorers": dict(summary.scorers),
        "about": _ABOUT,
    }
    problems = _write_problems(summary, int(summary.counts.max(initial=1)))
    lines = [f" {_dump(key)}: {_dump(value)}" for key, value in head.items()]
    lines.append(f' "sha256": {_dump(_digest(head, problems))}')
    listed = ",\n".join(f" {_dump(name)}: {_dump_problem(own)}" for name, own in problems.items())
    return "{\n" + ",\n".join(lines) + ',\n "problems": {\n' + listed + "\n}}\n"


def _nest(levels: Mapping[tuple[str, str], float]) -> dict[str, dict[str, float]]:
    """Return the levels by model, then arm."""
    found: dict[str, dict[str, float]] = {}
    for (model, arm), level in levels.items():
        found.setdefault(model, {})[arm] = level
    return found


def _dump_problem(own: str | dict[str, str]) -> str:
    if isinstance(own, str):
        return _dump(own)
    lines = (f"  {_dump(rest)}: {_dump(cells)}" for rest, cells in own.items())
    return "{\n" + ",\n".join(lines) + "}"


def read_summary(path: Path) -> RunSummary:
    """Read a summary file. Raises InvalidData, with the file and field, if it cannot be used."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise InvalidData(f"{path}: not UTF-8 text; a summary comes from `ansatz summary RUN`") from None
    except (ValueError, RecursionError) as fault:
        line = f":{fault.lineno}" if isinstance(fault, json.JSONDecodeError) else ""
        raise InvalidData(f"{path}{line}: this summary is damaged: it is not JSON. {_AGAIN}") from None
    version = content.get(_KIND) if isinstance(content, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InvalidData(f"{path}: this is no summary of a run; `ansatz summary RUN > FILE` writes one")
    if version > FORMAT:
        raise InvalidData(
            f"{path}: format {version} is newer than this Ansatz reads ({FORMAT}): "
            f"use Ansatz {content.get('written_by', 'of a newer version')}, or write the file again"
        )
    try:
        head = {key: value for key, value in content.items() if key not in ("sha256", "problems")}
        if content["sha256"] != _digest(head, content["problems"]):
            raise InvalidData(f"{path}: this summary was changed after it was written. {_AGAIN}")
        return _build(content)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as fault:
        if isinstance(fault, InvalidData):
            raise
        what = f"field {fault} is missing" if isinstance(fault, KeyError) else str(fault)
        raise InvalidData(f"{path}: this summary is damaged: {what}. {_AGAIN}") from None


_AGAIN = "Write it again with `ansatz summary RUN`"


def _dump(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False)


def _digest(head: Mapping[str, Any], problems: Mapping[str, Any]) -> str:
    return canonical_hash([head, problems])[:16]


def _shorten(dimension: Dimension) -> dict[str, Any]:
    """Return a dimension without its summary and the fields that have their default."""
    plain = Dimension(dimension.name, dimension.summary).to_json()
    changed = {key: value for key, value in dimension.to_json().items() if value != plain[key]}
    return {"name": dimension.name, **changed}


def _write_problems(summary: RunSummary, repeats: int) -> Problems:
    """Return hashes and scores of each problem in one text, by id.

    Problems of a larger family, or with an id that does not begin with their family, are listed by family.
    """
    found: Problems = {}
    sizes = Counter(problem.family for problem in summary.problems.values())
    cells = _write_cells(summary, repeats)
    for id, problem in summary.problems.items():
        text, family = f"{problem.question}{problem.key} {next(cells)}", problem.family
        if sizes[family] == 1 and family == _name_family(id):
            found[id] = text
            continue
        rest = f"+{id.removeprefix(family)}" if id.startswith(family) else f"={id}"
        own = found.setdefault(family, {})
        assert isinstance(own, dict)
        own[rest] = text
    return found


def _name_family(id: str) -> str:
    """Return the family that most problems with such an id have."""
    return id.partition("#")[0]


def _write_cells(summary: RunSummary, repeats: int) -> Iterator[str]:
    """Yield the scores of each problem: a space separates dimensions, a semicolon models and arms."""
    models, arms, dimensions, problems = summary.sums.shape
    sums = summary.sums.reshape(models * arms, dimensions, problems)
    counts = summary.counts.reshape(models * arms, dimensions, problems)
    for at in range(problems):
        systems = [
            " ".join(map(_write_cell, row, own, [repeats] * dimensions))
            for row, own in zip(sums[:, :, at].tolist(), counts[:, :, at].tolist(), strict=True)
        ]
        pairs = zip(systems, [None, *systems], strict=False)
        yield _SYSTEMS.join("" if each == before else each for each, before in pairs)


def _read_cells(text: str, repeats: int) -> list[list[tuple[float, int]]]:
    """Return sum and count by system and dimension."""
    found: list[list[tuple[float, int]]] = []
    for system in text.split(_SYSTEMS):
        found.append([_read_cell(cell, repeats) for cell in system.split(" ")] if system else found[-1])
    return found


def _write_cell(total: float, count: int, repeats: int) -> str:
    if not count:
        return "-"
    text = f"{total:.4f}".rstrip("0").rstrip(".").lstrip("0") or "0"
    return text if count == repeats else f"{text}/{count}"


def _read_cell(text: str, repeats: int) -> tuple[float, int]:
    found = _CELL.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no score")
    return (0.0, 0) if text == "-" else (float(found[1]), int(found[2] or repeats))


def _build(content: Mapping[str, Any]) -> RunSummary:
    """Build the summary. Raises KeyError, TypeError or ValueError for content that does not fit."""
    dimensions = {
        each["name"]: Dimension.from_json({"scale": vars(Dimension("").scale), **each})
        for each in content["dimensions"]
    }
    problems: dict[str, SummarizedProblem] = {}
    rows: list[list[list[tuple[float, int]]]] = []
    for id, family, text in _list_problems(content["problems"]):
        hashes, _, cells = text.partition(" ")
        problems[id] = SummarizedProblem(family, hashes[: len(hashes) // 2], hashes[len(hashes) // 2 :])
        rows.append(_read_cells(cells, content["repeats"]))
    shape = (len(problems), len(content["models"]), len(content["arms"]), len(dimensions), 2)
    table = np.moveaxis(np.array(rows, dtype=np.float64).reshape(shape), 0, 3)
    names = ("name", "models", "arms", "baseline", "scorers", "planned", "finished", "seed", "written_by")
    return RunSummary(
        **{name: content[name] for name in names},
        dimensions=dimensions,
        problems=problems,
        sums=np.ascontiguousarray(table[..., 0]),
        counts=table[..., 1].astype(np.int64),
        primary=tuple(content["primary"]),
        levels={
            (model, arm): float(level)
            for model, own in content.get("levels", {}).items()
            for arm, level in own.items()
        },
        simulated=frozenset(content["simulated"]),
    )


def _list_problems(problems: Problems) -> Iterator[tuple[str, str, str]]:
    """Yield id, family and text of each problem."""
    for name, own in problems.items():
        if isinstance(own, str):
            yield name, _name_family(name), own
            continue
        for rest, text in own.items():
            yield (f"{name}{rest[1:]}" if rest[0] == "+" else rest[1:]), name, text

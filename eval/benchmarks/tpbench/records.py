"""Records of TPBench's public form, from its JSON or JSONL files and our own YAML, and problems made of them.

The public set has the fields `problem_id`, `domain`, `difficulty_level`, `problem`, `solution`, `answer`,
`code_answer_requirements` and `reference_implementation`; `test_inputs` (a list of inputs, each by name or
in order), `relative_tolerance`, `absolute_tolerance` and `title` may stand beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, assemble
from ansatz.eval.benchmarks.tpbench.inputs import Signature, drawn, read_signature, stated
from ansatz.eval.problem import CallableTarget, Problem, ReferenceSolution, Tolerance
from ansatz.eval.problem_files import read_objects
from ansatz.eval.validation import explain, read_json

BENCHMARK = "tpbench"
LEVELS = {
    "1": "easy undergraduate",
    "2": "undergraduate",
    "3": "easy graduate",
    "4": "graduate",
    "5": "research",
}
_FOLDER = files(__package__)


def _first_digit(level: object) -> object:
    """3 and "3 - easy grad" are "3"."""
    digits = re.match(r"\s*([1-5])\b", str(level))
    return digits[1] if digits else level


class PublicRecord(BaseModel):
    """A record as it is stored, without the fields that it leaves empty."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True, coerce_numbers_to_str=True)

    problem_id: str = ""
    title: str = ""
    domain: str = ""
    difficulty_level: Annotated[Literal["1", "2", "3", "4", "5"] | None, BeforeValidator(_first_digit)] = None
    problem: str
    solution: str = ""
    answer: str = ""
    code_answer_requirements: str = ""
    reference_implementation: str
    test_inputs: list[Any] = []
    relative_tolerance: float = Field(1e-6, ge=0, allow_inf_nan=False)  # far below a missing factor
    absolute_tolerance: float = Field(0.0, ge=0, allow_inf_nan=False)

    def made(self, position: int) -> Problem:
        """The problem. Raises InvalidData, `field: what is wrong`."""
        asked = self.code_answer_requirements
        signature = read_signature(asked) or read_signature(self.reference_implementation)
        if signature is None:
            raise InvalidData("code_answer_requirements: holds no function header `def name(...)`")
        name = self.problem_id or self.title or f"problem {position}"
        id = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or f"problem-{position}"
        tags = {"level": self.difficulty_level, "domain": self.domain, "title": self.title or name}
        return Problem(
            id=f"{BENCHMARK}-{id}",
            family=f"{BENCHMARK}-{id}",
            benchmark=BENCHMARK,
            question=self._question(signature),
            targets=(self._target(signature, id),),
            reference=ReferenceSolution(
                text="\n\nFinal answer: ".join(filter(None, (self.solution, self.answer)))
            ),
            tags={name: value for name, value in tags.items() if value},
        )

    def _question(self, signature: Signature) -> str:
        asked = self.code_answer_requirements or f"def {signature.name}({', '.join(signature.parameters)}):"
        if asked.startswith(("def ", "import ", "from ")):
            asked = f"Implement this function:\n\n```python\n{asked}\n```"
        how = _FOLDER.joinpath("question.md").read_text(encoding="utf-8").strip()
        return f"{self.problem}\n\n{how}\n\n{asked}"

    def _target(self, signature: Signature, id: str) -> CallableTarget:
        return CallableTarget(
            name=signature.name,
            weight=1.0,
            description=self.answer,
            value=self._reference(signature),
            parameters=tuple(signature.parameters),
            inputs=stated(signature, self.test_inputs) if self.test_inputs else drawn(signature, id),
            drawn=not self.test_inputs,
            tolerance=Tolerance(relative=self.relative_tolerance, absolute=self.absolute_tolerance),
        )

    def _reference(self, signature: Signature) -> str:
        """The program of the reference, which defines the function under the name asked for."""
        text = self.reference_implementation
        fenced = text if "```" in text or "\\begin{" in text else f"```python\n{text}\n```"
        found = assemble(fenced, signature.name, tuple(signature.parameters))
        if isinstance(found, NoProgram):
            raise InvalidData(f"reference_implementation: {found.outcome}: {found.reason}")
        if found.function == signature.name:
            return found.source
        return f"{found.source}\n\n{signature.name} = {found.function}\n"


@cache
def read_own() -> tuple[Problem, ...]:
    """The problems of our own, by level and then in the order of their files."""
    found = _problems(
        (f"{file.name}[{at}]", record)
        for file in sorted(_FOLDER.joinpath("problems").iterdir(), key=lambda file: file.name)
        for at, record in enumerate(yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    )
    return tuple(sorted(found, key=lambda problem: str(problem.tags["level"])))


def read_file(path: Path) -> tuple[Problem, ...]:
    """Every record of a JSONL file, or of the list in a JSON file.

    Raises InvalidData with one line for each thing that is wrong.
    """
    if path.suffix == ".jsonl":
        problems = _problems(read_objects(path))
    else:
        records = read_json(path)
        if not isinstance(records, list):
            raise InvalidData(f"{path}: must be a list of records, not a {type(records).__name__}")
        problems = _problems((f"{path}: record {at}", each) for at, each in enumerate(records, 1))
    if not problems:
        raise InvalidData(f"{path}: there is no record in it")
    return problems


def _problems(records: Iterable[tuple[str, Any]]) -> tuple[Problem, ...]:
    """Records with their places as problems; all faults of all records together."""
    problems: dict[str, Problem] = {}
    lines: list[str] = []
    for place, record in records:
        try:
            if not isinstance(record, Mapping):
                wrong = record if isinstance(record, str) else f"not a record but a {type(record).__name__}"
                raise InvalidData(wrong)
            known = {name: value for name, value in record.items() if value not in (None, "")}
            problem = PublicRecord.model_validate(known).made(len(problems) + 1)
            if problem.id in problems:
                raise InvalidData(f"problem_id: there is another {problem.id!r} above")
            problems[problem.id] = problem
        except ValidationError as error:
            lines += [f"{place}: {line}" for line in explain(error, PublicRecord)]
        except InvalidData as error:
            lines += [f"{place}: {line}" for line in str(error).splitlines()]
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(problems.values())

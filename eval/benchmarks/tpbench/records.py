"""Problems from records in TPBench's public format: JSON or JSONL files, and the YAML files of `problems/`.

The public set has the fields `problem_id`, `domain`, `difficulty_level`, `problem`, `solution`, `answer`,
`code_answer_requirements` and `reference_implementation`. A record can also have `test_inputs` (a list of
inputs, each by name or in order), `relative_tolerance`, `absolute_tolerance` and `title`.
"""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, assemble
from ansatz.eval.problem import CallableTarget, Problem, ReferenceSolution, Tolerance
from ansatz.eval.problem_files import read_objects
from ansatz.eval.validation import check_choices, explain, read_json
from ansatz.sandbox import EncodingError, encoding

BENCHMARK = "tpbench"
LEVELS = {
    "1": "easy undergraduate",
    "2": "undergraduate",
    "3": "easy graduate",
    "4": "graduate",
    "5": "research",
}
_FOLDER = files(__package__)
_HEADER = re.compile(
    r"def\s+(?P<name>\w+)\s*\((?P<arguments>.*?)\)\s*(?:->\s*(?P<returns>[^:\n]+))?:", re.DOTALL
)
_SAMPLES = 12
_RANGE = (0.3, 3.0)  # of sampled magnitudes: near one, where formulas in natural units have their structure
_LENGTH = 4


@dataclass(frozen=True)
class Signature:
    """The signature of a function."""

    name: str
    parameters: dict[str, str]
    """The annotation of each parameter as text, in order; "" if it has none."""


def _read_level(level: object) -> object:
    """Return "3" for 3 and "3 - easy grad"."""
    digits = re.match(r"\s*([1-5])\b", str(level))
    return digits[1] if digits else level


class PublicRecord(BaseModel):
    """A record without its empty fields."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True, coerce_numbers_to_str=True)

    problem_id: str = ""
    title: str = ""
    domain: str = ""
    difficulty_level: Annotated[Literal["1", "2", "3", "4", "5"] | None, BeforeValidator(_read_level)] = None
    problem: str
    solution: str = ""
    answer: str = ""
    code_answer_requirements: str = ""
    """The request for code, with the header of the function."""
    reference_implementation: str
    """A program that defines the function."""
    test_inputs: list[Any] = []
    """The inputs of the comparison; without them, inputs are sampled."""
    relative_tolerance: float = Field(1e-6, ge=0, allow_inf_nan=False)
    """The default is far below any missing factor."""
    absolute_tolerance: float = Field(0.0, ge=0, allow_inf_nan=False)

    def to_problem(self, position: int) -> Problem:
        """Return the problem. Raises InvalidData with the field and its fault."""
        requirements = self.code_answer_requirements
        signature = read_signature(requirements) or read_signature(self.reference_implementation)
        if signature is None:
            raise InvalidData("code_answer_requirements: has no function header `def name(...)`")
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
        header = f"def {signature.name}({', '.join(signature.parameters)}):"
        request = self.code_answer_requirements or header
        if request.startswith(("def ", "import ", "from ")):
            request = f"Implement this function:\n\n```python\n{request}\n```"
        instructions = _FOLDER.joinpath("question.md").read_text(encoding="utf-8").strip()
        return f"{self.problem}\n\n{instructions}\n\n{request}"

    def _target(self, signature: Signature, id: str) -> CallableTarget:
        return CallableTarget(
            name=signature.name,
            weight=1.0,
            description=self.answer,
            value=self._reference(signature),
            parameters=tuple(signature.parameters),
            inputs=encode_inputs(signature, self.test_inputs)
            if self.test_inputs
            else sample_inputs(signature, id),
            drawn=not self.test_inputs,
            tolerance=Tolerance(relative=self.relative_tolerance, absolute=self.absolute_tolerance),
        )

    def _reference(self, signature: Signature) -> str:
        """Return the program of the reference, which defines the function under its requested name."""
        text = self.reference_implementation
        fenced = text if "```" in text or "\\begin{" in text else f"```python\n{text}\n```"
        found = assemble(fenced, signature.name, tuple(signature.parameters))
        if isinstance(found, NoProgram):
            raise InvalidData(f"reference_implementation: {found.outcome}: {found.reason}")
        if found.function == signature.name:
            return found.source
        return f"{found.source}\n\n{signature.name} = {found.function}\n"


@cache
def read_builtin() -> tuple[Problem, ...]:
    """Return Ansatz's problems, by level and then in the order of their files."""
    found = _problems(
        (f"{file.name}[{at}]", record)
        for file in sorted(_FOLDER.joinpath("problems").iterdir(), key=lambda file: file.name)
        for at, record in enumerate(yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    )
    return tuple(sorted(found, key=lambda problem: str(problem.tags["level"])))


def read_file(path: Path) -> tuple[Problem, ...]:
    """Return the problem of every record of a JSONL file, or of the list in a JSON file.

    Raises InvalidData with one line for each fault.
    """
    if path.suffix == ".jsonl":
        problems = _problems(read_objects(path))
    else:
        records = read_json(path)
        if not isinstance(records, list):
            raise InvalidData(f"{path}: must be a list of records, not a {type(records).__name__}")
        problems = _problems((f"{path}: record {at}", each) for at, each in enumerate(records, 1))
    if not problems:
        raise InvalidData(f"{path}: has no records")
    return problems


def _problems(records: Iterable[tuple[str, Any]]) -> tuple[Problem, ...]:
    """Return the problems of records with their places. Raises InvalidData with all faults of all records."""
    problems: dict[str, Problem] = {}
    lines: list[str] = []
    for place, record in records:
        try:
            if not isinstance(record, Mapping):
                wrong = record if isinstance(record, str) else f"not a record but a {type(record).__name__}"
                raise InvalidData(wrong)
            known = {name: value for name, value in record.items() if value not in (None, "")}
            problem = PublicRecord.model_validate(known).to_problem(len(problems) + 1)
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


def read_signature(text: str) -> Signature | None:
    """Return the first function header in a text; None without one."""
    for header in _HEADER.finditer(text.replace("\\_", "_")):
        try:
            tree = ast.parse(f"def {header['name']}({header['arguments']}): pass")
        except SyntaxError:
            continue
        function = tree.body[0]
        assert isinstance(function, ast.FunctionDef)
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        annotations = {
            each.arg: ast.unparse(each.annotation) if each.annotation else "" for each in arguments
        }
        return Signature(header["name"], annotations)
    return None


def encode_inputs(signature: Signature, inputs: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """Return the inputs of a record as tagged JSON. An input has its values by name, or in order.

    Numbers can be text such as "1+2j" or "inf". A list becomes an array if its parameter is annotated as one.
    Raises InvalidData.
    """
    return tuple(_encode(signature, _by_name(signature, each)) for each in inputs)


def sample_inputs(signature: Signature, seed: str) -> tuple[dict[str, Any], ...]:
    """Return inputs for a record without any: positive values of the annotated types."""
    generator = random.Random(seed)
    count = _SAMPLES if signature.parameters else 1
    return tuple(
        _encode(signature, {name: _sample(generator, kind) for name, kind in signature.parameters.items()})
        for _ in range(count)
    )


def _by_name(signature: Signature, given: Any) -> Mapping[str, Any]:
    names = list(signature.parameters)
    if not isinstance(given, Mapping):
        values = given if isinstance(given, list) else [given]
        if len(values) != len(names):
            raise InvalidData(f"test_inputs: {len(values)} values for the parameters {', '.join(names)}")
        return dict(zip(names, values, strict=True))
    check_choices(f"test_inputs: the parameters of {signature.name}", given, names)
    if missing := [name for name in names if name not in given]:
        raise InvalidData(f"test_inputs: {missing[0]}: is missing")
    return given


def _encode(signature: Signature, values: Mapping[str, Any]) -> dict[str, Any]:
    typed = {name: _convert(name, values[name], kind) for name, kind in signature.parameters.items()}
    try:
        document: dict[str, Any] = json.loads(encoding.dumps(typed))
    except EncodingError as error:
        raise InvalidData(f"test_inputs: {error}") from error
    return document


def _convert(name: str, value: Any, annotation: str) -> Any:
    """Return a value in its annotated type: 1 as 1.0 for a float, a list as an array for an array."""
    if isinstance(value, list):
        parts = [_convert(name, each, annotation) for each in value]
        return np.array(parts) if "array" in annotation.lower() else parts
    try:
        number = complex(value)
    except (TypeError, ValueError):
        raise InvalidData(f"test_inputs: {name}: {value!r} is no number") from None
    if number.imag or "complex" in annotation:
        return number
    return int(value) if isinstance(value, int) and "int" in annotation else number.real


def _sample(generator: random.Random, annotation: str) -> Any:
    kind = annotation.lower()
    if any(word in kind for word in ("array", "list", "sequence", "tuple")):
        values = [_sample(generator, "float") for _ in range(_LENGTH)]
        return sorted(values) if "array" in kind else values
    if kind == "int":
        return generator.randint(1, 5)
    low, high = _RANGE
    number = float(f"{low * (high / low) ** generator.random():.4g}")
    return complex(number, round(generator.uniform(0.1, 0.5), 3)) if "complex" in kind else number

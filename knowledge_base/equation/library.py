"""Load and validate the YAML files of the equations, and the phrases of search/phrases.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from ansatz.errors import EntryError, UnknownEquation
from ansatz.knowledge_base.equation import entry_cache as cache
from ansatz.knowledge_base.equation.entry import VALIDATED
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.quantities.did_you_mean import nearest

FOLDER = Path(__file__).parent.parent / "equations"
PHRASES = Path(__file__).parent.parent / "search" / "phrases.yaml"


class Library:
    """A base of equations.

    Attributes:
        entries: The equations, sorted by id.
        places: The place of each id in `entries`.
        problems: The error lines of invalid files, by id.
        digest: The digest of the shipped base's files, as a key for cached data; "" for any other base.
    """

    def __init__(
        self,
        equations: Sequence[Equation],
        problems: Mapping[str, tuple[str, ...]] | None = None,
        digest: str = "",
    ):
        self.digest = digest
        by_id = {equation.id: equation for equation in equations}
        self.entries = tuple(by_id[id] for id in sorted(by_id))
        self.places = {equation.id: place for place, equation in enumerate(self.entries)}
        self.problems = dict(problems or {})

    @classmethod
    def read(cls, folder: Path = FOLDER) -> Library:
        """Read every valid file; `problems` has the errors of the others.

        The shipped base is read from the user's cache if it is up to date (see entry_cache.py).
        """
        files = sorted(folder.rglob("*.yaml"))
        contents = [file.read_bytes() for file in files]
        digest, index = "", b"{}"
        if folder == FOLDER:
            index = PHRASES.read_bytes()
            names = [file.relative_to(folder).as_posix() for file in files]
            digest = cache.make_key(*names, PHRASES.name, *contents, index)
            if restored := _restore_entries(cache.load(digest), len(files)):
                return cls(restored, digest=digest)
        phrases = _parse(PHRASES, index)
        parsed, equations, problems = [], [], {}
        for file, content in zip(files, contents, strict=True):
            try:
                parsed.append(_parse(file, content))
                if listed := phrases.get(_make_id(file, folder)):
                    parsed[-1]["phrases"] = listed
                equations.append(_validate_entry(file, folder, parsed[-1]))
            except EntryError as error:
                problems[_make_id(file, folder)] = tuple(str(error).splitlines())
        if problems:
            return cls(equations, problems)
        if digest:
            cache.store(digest, parsed)
        return cls(equations, digest=digest)

    @classmethod
    def load(cls, folder: Path = FOLDER) -> Library:
        """Read every file. Raises EntryError for invalid files and for references to unknown entries."""
        library = cls.read(folder)
        lines = [line for errors in library.problems.values() for line in errors]
        lines += [line for equation in library for line in library.find_broken_references(equation)]
        if lines:
            raise EntryError("\n".join(lines))
        return library

    def get(self, id: str) -> Equation:
        try:
            return self.entries[self.places[id]]
        except KeyError:
            raise UnknownEquation(f"there is no equation {id!r}{nearest(id, self.places, shown=0)}") from None

    def __iter__(self) -> Iterator[Equation]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, id: object) -> bool:
        return id in self.places

    @cached_property
    def domains(self) -> dict[str, int]:
        """The number of entries of each domain."""
        names = [equation.domain for equation in self]
        return {name: names.count(name) for name in sorted(set(names))}

    def find_broken_references(self, equation: Equation) -> list[str]:
        """Return a line for each reference of an entry to an unknown entry or to itself."""
        references = [("confusable_with", id) for id in equation.confusable_with]
        references += [("failure_modes.use", mode.use) for mode in equation.failure_modes if mode.use]
        return [
            f"{equation.id}: {field}: {id!r} is not another entry{nearest(id, self.places, shown=0)}"
            for field, id in references
            if id not in self or id == equation.id
        ]


@lru_cache(maxsize=1)
def library() -> Library:
    """Return the base that ships with the package."""
    return Library.load()


class _Loader(yaml.CSafeLoader):
    """A YAML loader that reads NO as text, 1e5 as a number, and refuses repeated keys."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool"]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} occurs twice", node.start_mark
                )
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?\d+(?:\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def _restore_entries(fields: list[dict[str, Any]] | None, count: int) -> list[Equation] | None:
    """Create entries from cached fields, which were valid when stored; None if they are unusable."""
    if fields is None or len(fields) != count:
        return None
    try:
        return [Equation.model_validate(entry, context=VALIDATED) for entry in fields]
    except ValidationError:
        return None


def _parse(file: Path, content: bytes) -> dict[str, Any]:
    try:
        fields = yaml.load(content.decode("utf-8"), Loader=_Loader)
    except UnicodeDecodeError as error:
        raise EntryError(f"{file}: not UTF-8 text: {error}") from error
    except yaml.YAMLError as error:
        raise EntryError(f"{file}: not valid YAML: {' '.join(str(error).split())}") from error
    if not isinstance(fields, dict):
        raise EntryError(f"{file}: not a mapping of fields")
    return fields


def _validate_entry(file: Path, folder: Path, fields: dict[str, Any]) -> Equation:
    try:
        equation = Equation.model_validate(fields)
    except ValidationError as invalid:
        lines = (f"{file}: {_format_error(error)}" for error in invalid.errors())
        raise EntryError("\n".join(lines)) from invalid
    if equation.id != _make_id(file, folder) or equation.domain != equation.id.split(".")[0]:
        raise EntryError(f"{file}: id and domain must follow the path: {_make_id(file, folder)}")
    return equation


def _make_id(file: Path, folder: Path) -> str:
    """Return the id of a file: heating/sutton_graves.earth.yaml is heating.sutton_graves.earth.

    The file name may also be the whole id.
    """
    parts = file.relative_to(folder).with_suffix("").parts
    name = ".".join(parts)
    repeated = f"{parts[0]}.{parts[0]}."
    return name.removeprefix(f"{parts[0]}.") if name.startswith(repeated) else name


def _format_error(error: Any) -> str:
    """Format the field and its error; for an unknown key, with the nearest valid key of that part."""
    path = [str(part) for part in error["loc"]]
    field = ".".join(path) or "entry"
    if error["type"] != "extra_forbidden":
        return f"{field}: {error['msg'].removeprefix('Value error, ')}"
    part: type[BaseModel] = Equation
    for key in path[:-1]:
        if key in part.model_fields:
            part = _find_part(part.model_fields[key].annotation) or part
    valid = [field_info.alias or name for name, field_info in part.model_fields.items()]
    return f"{field}: unknown key{nearest(path[-1], valid, shown=40)}"


def _find_part(annotation: Any) -> type[BaseModel] | None:
    """Return the model in the annotation of a field, such as dict[str, Variable]."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_find_part, get_args(annotation))), None)

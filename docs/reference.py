"""MkDocs hook: generate the reference pages from the types, the plug-ins and the command line.

mkdocstrings renders the public names and Typer the commands. The tables of problems, study files and settings
are built here, because they show each field with a valid example, and the plug-ins that are installed.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typer.cli import get_docs_for_click

from ansatz.agents import Limits
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.models.retry import RetryPolicy
from ansatz.agents.models.traffic import Rates
from ansatz.cli import app
from ansatz.eval import problem, problem_schema
from ansatz.experiments.design import plugins, study_file
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.study_settings import Stopping

ROOT = Path(__file__).parent.parent
ROOM_TITLES = {
    "experiments": "Studies and runs",
    "interventions": "Switches",
    "eval": "Problems, answers and scores",
    "agents": "Agents",
    "errors": "Errors",
}
PARTS_OF_ITEMS = (
    problem_schema.Item, problem.Given, problem.NumberTarget, problem.LabelTarget, problem.ChoiceTarget, problem.SymbolicTarget,
    problem.MessageTarget, problem.CallableTarget, problem.Tolerance, problem.TargetBound, problem_schema.Solution, problem.Formulation,
    problem.SolutionStep, problem.DerivationStep, problem.Entity,
)  # fmt: skip
PARTS_OF_STUDIES = (
    study_file.StudyFile, Model, study_file.ProblemChoice, Limits, Stopping, Rates,
)  # fmt: skip
_STUB = ROOT / "ansatz" / "__init__.pyi"
OUTSIDE = {"SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def build_pages() -> dict[str, str]:
    """Return all generated pages by their path in the site."""
    copies = {name: (ROOT / name).read_text(encoding="utf-8") for name in OUTSIDE}
    return {
        "reference/library.md": build_library_page(),
        "reference/commands.md": build_commands_page(),
        "reference/items.md": build_items_page(),
        "reference/studies.md": build_studies_page(),
        "reference/settings.md": build_settings_page(),
        "examples.md": build_examples_page(),
        **{OUTSIDE[name]: text.replace("](docs/", "](") for name, text in copies.items()},
    }


def build_library_page() -> str:
    """List the public names by package, as directives for mkdocstrings."""
    rooms: dict[str, list[str]] = {}
    for module, name in re.findall(
        r"^from \.(\S+) import (\w+) as", _STUB.read_text(encoding="utf-8"), re.MULTILINE
    ):
        if name != "__version__":
            rooms.setdefault(module.split(".")[0], []).append(f"ansatz.{module}.{name}")
    parts = ["# The library\n\n`import ansatz as az`; every name below is one of `az`."]
    for room, title in ROOM_TITLES.items():
        parts += [f"## {title}", *(f"::: {path}" for path in rooms.pop(room))]
    assert not rooms, f"packages without a title: {sorted(rooms)}"
    return "\n\n".join(parts) + "\n"


def build_commands_page() -> str:
    """Describe every command with its arguments and options."""
    command = typer.main.get_command(app)
    context = typer.Context(command, info_name="ansatz")
    return get_docs_for_click(obj=command, ctx=context, name="ansatz", title="Commands")


def build_items_page() -> str:
    """Describe the fields of a problem."""
    head = (
        "# The fields of a problem\n\nA line of a problem file, a dict and a row of a frame have these fields. "
        "[Your own problems](../own-problems.md) begins with the short forms."
    )
    return "\n\n".join([head, *map(describe_fields, PARTS_OF_ITEMS)])


def build_studies_page() -> str:
    """Describe the fields of a study file and of its parts."""
    head = (
        "# The fields of a study file\n\nThe settings of switches, benchmarks and scorers are on a "
        "[separate page](settings.md)."
    )
    return "\n\n".join([head, *map(describe_fields, PARTS_OF_STUDIES)])


def describe_fields(schema: type, title: str = "") -> str:
    """Format a schema as a heading, its docstring and a table of fields, with examples in JSON."""
    rows = []
    for name, field in _get_fields(schema).items():
        default = field.get_default(call_default_factory=True)
        rows.append(
            (
                f"`{field.validation_alias or name}`",
                (field.description or "").replace("|", "\\|"),
                _describe_type(_get_annotation(schema, name)),
                "required" if field.is_required() else _format_default(default),
                _format_json(make_example(schema, name)),
            )
        )
    used = [column for column in range(5) if any(row[column] not in ("", "``") for row in rows)]
    titles = [("field", "description", "type", "default", "example")[column] for column in used]
    about = inspect.cleandoc(vars(schema).get("__doc__") or "")
    table = format_table(titles, [[row[column] for column in used] for row in rows])
    return f"## {title or schema.__name__}\n\n{about}\n\n{table}"


def _get_fields(schema: type) -> dict[str, FieldInfo]:
    fields: dict[str, FieldInfo] = schema.__pydantic_fields__
    return fields


def make_example(schema: type, name: str) -> Any:
    """Return a valid value of a field, composed of examples of inner schemas; None if there is none."""
    field = _get_fields(schema)[name]
    if field.examples:
        return field.examples[0]
    inner = next(_find_schemas(field.annotation), None)
    if inner is None or inner in PARTS_OF_STUDIES:
        return None
    value = {
        key: make_example(inner, key)
        for key, inner_field in inner.model_fields.items()
        if inner_field.is_required() or key == "value"
    }
    if inner is problem_schema.Solution:
        value = {key: make_example(inner, key) for key in ("formulation", "trap")}
    outer = _describe_type(_get_annotation(schema, name))
    return (
        [value] if outer.startswith("list") else {"object": value} if outer.startswith("mapping") else value
    )


def _find_schemas(annotation: Any) -> Iterator[type[BaseModel]]:
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _find_schemas(argument)


def build_settings_page() -> str:
    """Describe the settings of every switch, scorer, benchmark, ranker and model."""
    parts = ["# Settings\n\nAs in a study file; in a script the same names are parameters."]
    for kind in ("interventions", "scorers", "benchmarks", "rankers"):
        parts.append("## Switches" if kind == "interventions" else f"## {kind.capitalize()}")
        parts += [_describe_plugin(f"ansatz.{kind}", name) for name in plugins.list_names(f"ansatz.{kind}")]
    parts += [describe_fields(ModelSettings, "Models"), describe_fields(RetryPolicy, "retry")]
    return "\n\n".join(parts)


def _describe_plugin(group: str, name: str) -> str:
    factory = plugins.find_factory(group, name)
    about = inspect.getdoc(factory) or ""
    about = re.sub(r"^Example: `(.*)`\.$", r"```python\n\1\n```", about, flags=re.MULTILINE)
    if group == "ansatz.rankers":  # created by the search, without settings
        return f"### {name}\n\n{about}"
    rows = [
        (
            f"`{setting.name}`",
            setting.description.replace("|", "\\|"),
            _describe_type(setting.annotation),
            "required" if setting.default is inspect.Parameter.empty else _format_default(setting.default),
        )
        for setting in plugins.read_settings(factory)
    ]
    settings = format_table(("setting", "description", "type", "default"), rows) if rows else "No settings."
    return f"### {name}\n\n{about}\n\n{settings}"


def build_examples_page() -> str:
    """Show the scripts of examples/."""
    parts = [
        "# Examples\n\nShort scripts from the folder `examples`, which also contains the notebook `first_look.ipynb`."
    ]
    for path in sorted((ROOT / "examples").glob("*.py")):
        parts.append(f"## {path.name}\n\n```python\n{path.read_text(encoding='utf-8')}```")
    return "\n\n".join(parts)


def format_table(titles: Any, rows: Any) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return (
        "\n".join(f"| {' | '.join(str(cell).replace(chr(10), ' ') for cell in line)} |" for line in lines)
        + "\n"
    )


def _get_annotation(schema: type, name: str) -> Any:
    return get_type_hints(schema, include_extras=True)[name]


def _format_default(value: Any) -> str:
    if isinstance(value, BaseModel) or is_dataclass(value):
        return "its defaults"
    if value in (None, (), {}, ""):
        return "none"
    if isinstance(value, tuple) and len(value) > 6:
        return f"{len(value)} of them"
    return f"`{json.dumps(value, ensure_ascii=False, default=str)}`"


def _format_json(value: Any) -> str:
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`".replace("|", "\\|")


_WORDS = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true` or `false`",
    Any: "anything",
    Path: "path",
}


def _describe_type(hint: Any) -> str:
    """Describe an annotation in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        bounds = [_format_bound(one) for field in inner[1:] for one in getattr(field, "metadata", ())]
        return " ".join([_describe_type(inner[0]), *filter(None, bounds)])
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in inner)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_describe_type(one) for one in inner if one is not NoneType))
    if inspect.isclass(origin) and issubclass(origin, Mapping):
        return f"mapping of {_describe_type(inner[1])}"
    if inspect.isclass(origin) and origin.__name__ in ("tuple", "list", "Sequence"):
        return f"list of {_describe_type(inner[0])}"
    if hint in PARTS_OF_ITEMS + PARTS_OF_STUDIES:
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _WORDS.get(hint) or (
        "function" if "Callable" in str(hint) else f"`{getattr(hint, '__name__', hint)}`"
    )


def _format_bound(metadata: Any) -> str:
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    return ", ".join(
        f"{sign} {getattr(metadata, name):g}" for name, sign in signs.items() if hasattr(metadata, name)
    )


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    from mkdocs.structure.files import File

    for path, text in build_pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace links to files outside the folder by links to their pages."""
    for name, page in OUTSIDE.items():
        markdown = markdown.replace(f"](../{name}", f"]({page}")
    return re.sub(r"\]\(\.\./examples[^)]*\)", "](examples.md)", markdown)

"""Reference pages made of the types themselves: a hook of mkdocs. `pages()` needs nothing of it, and is tested so."""

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
from typer.core import TyperGroup, TyperOption

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


def pages() -> dict[str, str]:
    """Every page that is not written by hand, by its path in the site."""
    copies = {page: _relocated((ROOT / name).read_text(encoding="utf-8")) for name, page in OUTSIDE.items()}
    made = {
        "library": library(),
        "commands": commands(),
        "items": items(),
        "studies": studies(),
        "settings": settings(),
    }
    return (
        {f"reference/{name}.md": text for name, text in made.items()} | {"examples.md": examples()} | copies
    )


def library() -> str:
    """Directives by which mkdocstrings lays out the public names, room by room."""
    rooms: dict[str, list[str]] = {}
    for module, name in re.findall(
        r"^from \.(\S+) import (\w+) as", _STUB.read_text(encoding="utf-8"), re.MULTILINE
    ):
        if name != "__version__":
            rooms.setdefault(module.split(".")[0], []).append(f"ansatz.{module}.{name}")
    parts = ["# The library\n\n`import ansatz as az`; every name below is one of `az`."]
    for room, title in ROOM_TITLES.items():
        parts += [f"## {title}", *(f"::: {path}" for path in rooms.pop(room))]
    assert not rooms, f"without a title: {rooms}"
    return "\n\n".join(parts) + "\n"


def commands() -> str:
    """Every command with its arguments and options, as the command line itself is made."""
    command = typer.main.get_command(app)
    return "# Commands\n\n" + "\n".join(_command(command, typer.Context(command, info_name="ansatz")))


def _command(command: Any, context: Any) -> Iterator[str]:
    if isinstance(command, TyperGroup):
        if context.parent:
            yield f"{command.help}\n"
        for name in sorted(command.list_commands(context)):
            each = command.get_command(context, name)
            below = typer.Context(each, parent=context, info_name=name)
            yield f"{'##' if not context.parent else '###'} `{below.command_path}`\n"
            yield from _command(each, below)
        return
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"{inspect.cleandoc(_plain(command.help or ''))}\n\n```\n{usage}\n```\n"
    rows = [_parameter(each, context) for each in command.params if not getattr(each, "hidden", False)]
    if rows:
        yield table(("argument or option", "", "default"), rows)


def _parameter(each: Any, context: Any) -> tuple[str, str, str]:
    is_option = isinstance(each, TyperOption)
    names = (
        ", ".join(f"`{name}`" for name in (*each.opts, *each.secondary_opts))
        if is_option
        else f"`{each.get_usage_pieces(context)[0]}`"
    )
    default = each.get_default(context) if not callable(each.default) else None
    return (
        names,
        _plain(getattr(each, "help", "") or ""),
        "" if default in (None, False, (), "") else f"`{default}`",
    )


def _plain(text: str) -> str:
    return text.replace("\b", "").replace("\\[", "[")


def items() -> str:
    """The schema of a problem: each field with its type, its default and an example that is valid."""
    return "\n\n".join(
        [
            "# The fields of a problem\n\nA line of a problem file, a dict and a row of a frame have these fields. "
            "[Problems of your own](../own-problems.md) begins with the short forms.",
            *map(fields, PARTS_OF_ITEMS),
        ]
    )


def studies() -> str:
    """The schema of a study file, and of a model in it."""
    head = "# The fields of a study file\n\nSettings of switches, benchmarks and scorers are [by themselves](settings.md)."
    return "\n\n".join([head, *map(fields, PARTS_OF_STUDIES)])


def fields(schema: type) -> str:
    """A schema as a heading, its docstring and a table; examples are JSON, as they stand in a line."""
    rows = []
    for name, field in _fields(schema).items():
        shown_as = field.validation_alias or name
        default = "needed" if field.is_required() else _default(field.get_default(call_default_factory=True))
        what = (field.description or "").replace("|", "\\|")
        rows.append(
            (f"`{shown_as}`", what, _type(_annotation(schema, name)), default, _code(example(schema, name)))
        )
    shown = [column for column in range(5) if any(row[column] not in ("", "``") for row in rows)]
    titles = [("field", "what it is", "type", "default", "example")[column] for column in shown]
    about = inspect.cleandoc(vars(schema).get("__doc__") or "")
    return f"## {schema.__name__}\n\n{about}\n\n" + table(
        titles, [[row[column] for column in shown] for row in rows]
    )


def _fields(schema: type) -> dict[str, FieldInfo]:
    """Of a pydantic model, or of a dataclass that a study file is read into."""
    known: dict[str, FieldInfo] = schema.__pydantic_fields__
    return known


def example(schema: type, name: str) -> Any:
    """A value that the field takes; of a field of schemas, one that is made of theirs. None where there is none."""
    field = _fields(schema)[name]
    if field.examples:
        return field.examples[0]
    inner = next((each for each in _schemas(field.annotation)), None)
    if inner is None or inner in PARTS_OF_STUDIES:
        return None
    made = {
        key: example(inner, key)
        for key, each in inner.model_fields.items()
        if each.is_required() or key == "value"
    }
    if inner is problem_schema.Solution:
        made = {"formulation": example(inner, "formulation"), "trap": example(inner, "trap")}
    outer = _type(_annotation(schema, name))
    return [made] if outer.startswith("list") else {"object": made} if outer.startswith("mapping") else made


def _schemas(annotation: Any) -> Iterator[type[BaseModel]]:
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        yield annotation
    for each in get_args(annotation):
        yield from _schemas(each)


def settings() -> str:
    """The settings of every switch, scorer, benchmark, ranker and model, with the descriptions at their fields."""
    parts = ["# Settings\n\nAs in a study file; in a script the same names are parameters."]
    for kind in ("interventions", "scorers", "benchmarks", "rankers"):
        title = {"interventions": "Switches"}.get(kind, kind.capitalize())
        parts += [
            f"## {title}",
            *(_plugin(f"ansatz.{kind}", name) for name in plugins.list_names(f"ansatz.{kind}")),
        ]
    about = {"Models": ModelSettings, "retry": RetryPolicy}
    parts += [
        fields(schema).replace(f"## {schema.__name__}", f"## {title}") for title, schema in about.items()
    ]
    return "\n\n".join(parts)


def _plugin(group: str, name: str) -> str:
    factory = plugins.find_factory(group, name)
    head = f"### {name}\n\n{_prose(inspect.getdoc(factory) or '')}"
    if group == "ansatz.rankers":  # named in settings of others, and built by the search
        return head
    rows = [
        (
            f"`{setting.name}`",
            setting.description.replace("|", "\\|"),
            _type(setting.annotation),
            "needed" if setting.default is inspect.Parameter.empty else _default(setting.default),
        )
        for setting in plugins.read_settings(factory)
    ]
    text = table(("setting", "what it is", "type", "default"), rows) if rows else "No settings."
    return f"{head}\n\n{text}"


def _prose(docstring: str) -> str:
    """A docstring as Markdown: its example as code."""
    return re.sub(r"^Example: `(.*)`\.$", r"```python\n\1\n```", docstring, flags=re.MULTILINE)


def examples() -> str:
    """The scripts in examples/, as they stand and are tested."""
    parts = [
        "# Examples\n\nShort scripts from the folder `examples`, which also holds a notebook, `first_look.ipynb`."
    ]
    for path in sorted((ROOT / "examples").glob("*.py")):
        parts.append(f"## {path.name}\n\n```python\n{path.read_text(encoding='utf-8')}```")
    return "\n\n".join(parts)


def table(titles: Any, rows: Any) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return (
        "\n".join(f"| {' | '.join(str(cell).replace(chr(10), ' ') for cell in line)} |" for line in lines)
        + "\n"
    )


def _annotation(schema: type, name: str) -> Any:
    return get_type_hints(schema, include_extras=True)[name]


def _default(value: Any) -> str:
    if isinstance(value, BaseModel) or is_dataclass(value):
        return "its defaults"
    if value in (None, (), {}, ""):
        return "none"
    if isinstance(value, tuple) and len(value) > 6:
        return f"{len(value)} of them"
    return f"`{json.dumps(value, ensure_ascii=False, default=str)}`"


def _code(value: Any) -> str:
    return "" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`".replace("|", "\\|")


_WORDS = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true` or `false`",
    Any: "anything",
    Path: "path",
}


def _type(hint: Any) -> str:
    """An annotation in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        bounds = [_bound(each) for field in inner[1:] for each in getattr(field, "metadata", ())]
        return " ".join([_type(inner[0]), *filter(None, bounds)])
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in inner)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_type(each) for each in inner if each is not NoneType))
    if inspect.isclass(origin) and issubclass(origin, Mapping):
        return f"mapping of {_type(inner[1])}"
    if inspect.isclass(origin) and origin.__name__ in ("tuple", "list", "Sequence"):
        return f"list of {_type(inner[0])}"
    if hint in PARTS_OF_ITEMS + PARTS_OF_STUDIES:
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    return _WORDS.get(hint) or (
        "function" if "Callable" in str(hint) else f"`{getattr(hint, '__name__', hint)}`"
    )


def _bound(metadata: Any) -> str:
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    return ", ".join(
        f"{sign} {getattr(metadata, name):g}" for name, sign in signs.items() if hasattr(metadata, name)
    )


def _relocated(text: str) -> str:
    return text.replace("](docs/", "](")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made here."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Lead what points out of the folder to the page that stands for it."""
    for name, page in OUTSIDE.items():
        markdown = markdown.replace(f"](../{name}", f"]({page}")
    return re.sub(r"\]\(\.\./examples[^)]*\)", "](examples.md)", markdown)

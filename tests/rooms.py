"""`make loc`: print the lines of each room, the largest modules, unused modules and repeated classes.

    .venv/bin/python -m tests.rooms

All lines of a file count, also blank lines and comments.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Folders. The first one that contains a file is its room.
ROOMS = (
    "ansatz/sandbox",
    "ansatz/quantities",
    "ansatz",
    "experiments",
    "eval/benchmarks",
    "eval",
    "interventions",
    "agents/slide_rule",
    "agents",
    "knowledge_base",
    "tests",
)
LARGEST = 10


def find_room(path: Path) -> str | None:
    """Return the room of a file by its path from the root, or None."""
    return next((room for room in ROOMS if path.is_relative_to(room)), None)


@cache
def parse_file(file: Path) -> ast.Module:
    """Return the syntax tree of a source file."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def list_nodes(file: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of the syntax tree of a source file."""
    return tuple(ast.walk(parse_file(file)))


def count_lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def list_sources() -> list[Path]:
    """Return the Python files of all rooms by their path from the root."""
    return [
        file.relative_to(ROOT)
        for top in {room.split("/")[0] for room in ROOMS}
        for file in (ROOT / top).rglob("*.py")
    ]


def get_module_name(path: Path) -> str:
    """Return the import name of a source file."""
    parts = path.with_suffix("").parts
    parts = parts if parts[0] == "ansatz" else ("ansatz", *parts)
    return ".".join(parts).removesuffix(".__init__")


def find_imports(file: Path, modules: Collection[str]) -> set[str]:
    """Return the given modules that a file imports anywhere, also in functions and for type checkers.

    `from a import b` imports a.b if that is a module, otherwise a.
    """
    found: set[str] = set()
    for node in list_nodes(file):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{file}:{node.lineno}: relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner if inner <= set(modules) else {node.module, *inner}
        elif isinstance(node, ast.Call) and get_called_name(node).endswith(("import_module", "__import__")):
            found |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    return found & set(modules)


def get_called_name(call: ast.Call) -> str:
    """Return the last part of the name of what is called: `b` of `a.b()`."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


@cache
def build_import_graph() -> dict[str, set[str]]:
    """Return the imported modules of every source module."""
    files = {get_module_name(path): path for path in list_sources() if path.parts[0] != "tests"}
    return {name: find_imports(ROOT / path, files) - {name} for name, path in files.items()}


def list_entry_points() -> set[str]:
    """Return the modules that pyproject.toml names."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    groups = [project["scripts"], *project["entry-points"].values()]
    return {target.partition(":")[0] for group in groups for target in group.values()}


def find_unused_modules() -> list[str]:
    """Return source modules that no source file imports or names in a string, and that are no script.

    Lazy packages and worker processes import modules by a string with their name or its last part.
    """
    texts = {
        path: (ROOT / path).read_text(encoding="utf-8") for path in list_sources() if path.parts[0] != "tests"
    }
    used = list_entry_points().union(*build_import_graph().values())
    named: set[str] = set()
    for text in texts.values():
        named |= {name.removesuffix(".py") for name in re.findall(r"[\"']([\w.]+)[\"']", text)}
    named |= {name.rpartition(".")[2] for name in named}
    return sorted(
        module
        for path, text in texts.items()
        if path.name not in ("__init__.py", "__main__.py") and 'if __name__ == "__main__":' not in text
        if (module := get_module_name(path)) not in used | named and module.rpartition(".")[2] not in named
    )


def find_repeated_classes() -> dict[str, list[str]]:
    """Return the files of public classes that share a name."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in list_sources():
        tree = parse_file(ROOT / path) if path.parts[0] != "tests" else None
        for node in tree.body if tree else ():
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path))
    return {name: paths for name, paths in sorted(found.items()) if len(paths) > 1}


def main() -> None:
    sizes = {path: count_lines(ROOT / path) for path in list_sources()}
    totals: Counter[str] = Counter()
    for path, size in sizes.items():
        if room := find_room(path):
            totals[room] += size
    print(f"{'room':20} {'lines':>7}")
    for room in ROOMS:
        print(f"{room:20} {totals[room]:7,}")
    print(f"{'source in all':20} {totals.total() - totals['tests']:7,}")
    print("\nlargest modules")
    largest = sorted((path for path in sizes if path.parts[0] != "tests"), key=lambda path: -sizes[path])
    for path in largest[:LARGEST]:
        print(f"{sizes[path]:7,} {path}")
    print(f"\nmodules that only tests import: {', '.join(find_unused_modules()) or 'none'}")
    classes = find_repeated_classes()
    print(f"public classes that occur more than once: {len(classes)} ({', '.join(classes)})")


if __name__ == "__main__":
    main()

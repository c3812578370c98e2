"""`make loc`: source lines by room beside the budget of the design, the largest modules, and modules nobody imports.

    .venv/bin/python -m tests.rooms

Every line of a file counts, blank ones and comments too. Nothing fails here: figures are a bearing, not a fence.
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
# Room: folder, most source lines. The first room whose folder holds a file counts it.
ROOMS = {
    "ansatz/sandbox": 3_300,
    "ansatz/quantities": 1_800,
    "ansatz": 1_600,
    "experiments": 5_500,
    "eval/benchmarks": 9_500,
    "eval": 5_500,
    "interventions": 1_200,
    "agents/slide_rule": 1_500,
    "agents": 1_500,
    "knowledge_base": 5_500,
    "tests": 22_000,
}
LARGEST = 10


def room_of(path: Path) -> str | None:
    """The room of a file by its path from the root; None for a file in none."""
    return next((room for room in ROOMS if path.is_relative_to(room)), None)


@cache
def tree_of(file: Path) -> ast.Module:
    """What a source file says, parsed once."""
    return ast.parse(file.read_text(encoding="utf-8"))


def lines_of(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def sources() -> list[Path]:
    """Python files of all rooms, by their path from the root."""
    return [
        file.relative_to(ROOT)
        for top in {room.split("/")[0] for room in ROOMS}
        for file in (ROOT / top).rglob("*.py")
    ]


def module_of(path: Path) -> str:
    """The name that a source file is imported by."""
    parts = path.with_suffix("").parts
    named = parts if parts[0] == "ansatz" else ("ansatz", *parts)
    return ".".join(named).removesuffix(".__init__")


def imports_of(file: Path, modules: Collection[str]) -> set[str]:
    """Those of the modules that a file imports, anywhere in it and in whatever form.

    In functions and for type checkers too; `from a import b` means a.b where that is a module, and else a.
    """
    found: set[str] = set()
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{file}:{node.lineno}: relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner if inner <= set(modules) else {node.module, *inner}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            found |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    return found & set(modules)


@cache
def import_graph() -> dict[str, set[str]]:
    """Every source module with those that it imports."""
    files = {module_of(path): path for path in sources() if path.parts[0] != "tests"}
    return {name: imports_of(ROOT / path, files) - {name} for name, path in files.items()}


def entry_points() -> set[str]:
    """The modules that pyproject.toml names."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    groups = [project["scripts"], *project["entry-points"].values()]
    return {target.partition(":")[0] for group in groups for target in group.values()}


def unused_modules() -> list[str]:
    """Source modules that no source file imports or names in a text, and that nothing starts.

    A text may hold a module's name, or its last part: lazy packages and worker processes import by name.
    """
    texts = {
        path: (ROOT / path).read_text(encoding="utf-8") for path in sources() if path.parts[0] != "tests"
    }
    used = entry_points().union(*import_graph().values())
    named: set[str] = set()
    for text in texts.values():
        named |= {name.removesuffix(".py") for name in re.findall(r"[\"']([\w.]+)[\"']", text)}
    named |= {name.rpartition(".")[2] for name in named}
    return sorted(
        module
        for path, text in texts.items()
        if path.name not in ("__init__.py", "__main__.py") and 'if __name__ == "__main__":' not in text
        if (module := module_of(path)) not in used | named and module.rpartition(".")[2] not in named
    )


def repeated_classes() -> dict[str, list[str]]:
    """Public classes of source modules that share a name."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sources():
        tree = tree_of(ROOT / path) if path.parts[0] != "tests" else None
        for node in tree.body if tree else ():
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path))
    return {name: paths for name, paths in sorted(found.items()) if len(paths) > 1}


def main() -> None:
    sizes = {path: lines_of(ROOT / path) for path in sources()}
    totals: Counter[str] = Counter()
    for path, size in sizes.items():
        if room := room_of(path):
            totals[room] += size
    print(f"{'room':20} {'lines':>7} {'budget':>7}")
    for room, budget in ROOMS.items():
        print(f"{room:20} {totals[room]:7,} {budget:7,} {'over' if totals[room] > budget else ''}".rstrip())
    print(f"{'source in all':20} {totals.total() - totals['tests']:7,} {36_000:7,}")
    print("\nlargest modules")
    largest = sorted((path for path in sizes if path.parts[0] != "tests"), key=lambda path: -sizes[path])
    for path in largest[:LARGEST]:
        print(f"{sizes[path]:7,} {path}")
    print(f"\nmodules that only tests import: {', '.join(unused_modules()) or 'none'}")
    classes = repeated_classes()
    print(f"public classes that occur more than once: {len(classes)} ({', '.join(classes)})")


if __name__ == "__main__":
    main()

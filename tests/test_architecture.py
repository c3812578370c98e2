"""Rules for imports, which prevent cycles and hide answer keys from agents."""

import ast
import re
import tomllib
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from ansatz import errors
from tests import rooms

pytestmark = pytest.mark.xdist_group("parsed sources")

ROOT = Path(__file__).parent.parent
BASE = {"sandbox", "quantities"}
MAY_IMPORT = {
    "sandbox": set(),
    "quantities": set(),
    "knowledge_base": {"quantities"},
    "agents": BASE,
    "interventions": {"agents", "knowledge_base", *BASE},
    "eval": {"agents", "knowledge_base", *BASE},
    "experiments": {"agents", "knowledge_base", "interventions", "eval", *BASE},
    "benchmarks": {"agents", "knowledge_base", "interventions", "eval", "experiments", *BASE},
}
"""Every package may import `ansatz.errors`. `benchmarks` are the plug-ins in `eval/benchmarks`."""


def package_of(module):
    if module.startswith("ansatz.eval.benchmarks"):
        return "benchmarks"
    return (*module.split("."), "")[1]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_package_imports_only_allowed_packages(package):
    for module, imported in rooms.build_import_graph().items():
        if package_of(module) == package:
            packages = set(map(package_of, imported))
            forbidden = packages & MAY_IMPORT.keys() - MAY_IMPORT[package] - {package}
            assert not forbidden, f"{module} imports {forbidden}"


def test_benchmarks_are_found_by_entry_point():
    """Only other benchmarks import a benchmark. The template engine is for every set of problems."""
    for module, imported in rooms.build_import_graph().items():
        if package_of(module) != "benchmarks":
            found = {each for each in imported if package_of(each) == "benchmarks"}
            assert {each for each in found if ".templates" not in each} == set(), module


def test_imports_have_no_cycle():
    graph = rooms.build_import_graph()
    order = list(TopologicalSorter(graph).static_order())  # raises a CycleError with the modules
    assert set(order) == set(graph)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_between_folders_have_no_cycle(package):
    folders: dict[str, set[str]] = {}
    for module, imported in rooms.build_import_graph().items():
        names = [each.split(".")[1:3] for each in (module, *imported) if each.count(".") > 2]
        if names and module.count(".") > 2 and package_of(module) == package:
            below = {folder for room, folder in names[1:] if room == package}
            folders.setdefault(names[0][1], set()).update(below - {names[0][1]})
    assert set(TopologicalSorter(folders).static_order()) >= set(folders)


BENCHMARKS = {"apbench", "hard", "physbench", "thermoqa", "tpbench", "tps"}


def test_only_a_benchmark_imports_its_modules():
    """The command line and the report find benchmarks by their entry points."""
    prefix = "ansatz.eval.benchmarks."
    for module, imported in rooms.build_import_graph().items():
        names = {each.removeprefix(prefix).split(".")[0] for each in imported if each.startswith(prefix)}
        home = module.removeprefix(prefix).split(".")[0] if module.startswith(prefix) else ""
        assert not names & BENCHMARKS - {home}, module


def test_eval_imports_only_data_types_of_agents():
    allowed = {
        "AnswerField",
        "Question",
        "Transcript",
        "ToolCall",
        "ModelCall",
        "Usage",
        "ModelClient",
    }
    for file in (ROOT / "eval").rglob("*.py"):
        for node in rooms.list_nodes(file):
            if isinstance(node, ast.ImportFrom) and node.module == "ansatz.agents":
                assert {alias.name for alias in node.names} <= allowed, file


def test_two_modules_import_provider_sdks():
    for file in (ROOT / "agents").rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        if any(
            f"import {sdk}" in source or f"from {sdk}" in source
            for sdk in ("openai", "anthropic", "langchain_openai", "langchain_anthropic")
        ):
            assert file.name in ("chat_models.py", "fast_path.py")


def test_private_members_of_libraries_are_in_one_file():
    """A private name that no source file defines belongs to another library."""
    modules = {
        file: rooms.list_nodes(file)
        for room in ("ansatz", *MAY_IMPORT)
        for file in (ROOT / room).rglob("*.py")
        if file.name != "fast_path.py" and room != "benchmarks"
    }
    defined: set[str] = {"_exit"}  # os._exit is documented
    for node in chain(*modules.values()):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            defined.add(node.id if isinstance(node, ast.Name) else node.attr)
    for file, nodes in modules.items():
        for node in nodes:
            names = [node.attr] if isinstance(node, ast.Attribute) else []
            if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("ansatz"):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.Call) and rooms.get_called_name(node) in (
                "getattr",
                "setattr",
                "hasattr",
            ):
                names = [each.value for each in node.args if isinstance(each, ast.Constant)]
            for name in filter(lambda each: isinstance(each, str), names):
                is_private = name.startswith("_") and not name.startswith("__")
                assert not is_private or name in defined, f"{file}:{node.lineno}: {name}"


KNOWLEDGE_ROOMS = {
    "equation",
    "regime",
    "search",
    "search.evaluation",
    "handbook",
    "properties",
    "gates",
    "browse",
}


def test_knowledge_base_is_imported_by_its_packages():
    prefix = "ansatz.knowledge_base."
    for folder in ("ansatz", "agents", "interventions", "eval", "experiments"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in rooms.list_nodes(file):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(prefix):
                    assert node.module.removeprefix(prefix) in KNOWLEDGE_ROOMS, f"{file}: {node.module}"


SIGNALS = {"NeedsCall", "NotSolvable", 
    "ErrorStatus", "EncodingError", "FlashFailed", "Infeasible", "LimitReached", "Transient", "Unsupported",
    "WorkerHung", "WorkerLost",
}  # fmt: skip
"""Exceptions that are raised and handled within one folder."""


def test_errors_are_defined_in_one_file_with_their_tree():
    """All code imports errors from that file."""
    names = {
        name for name, each in vars(errors).items() if getattr(each, "__module__", "") == errors.__name__
    }
    for name in names:
        assert f"── {name}" in errors.__doc__, name
    for file in (path for room in ("ansatz", *MAY_IMPORT) for path in (ROOT / room).rglob("*.py")):
        for node in rooms.list_nodes(file):
            if isinstance(node, ast.ClassDef) and file.name != "errors.py":
                bases = {getattr(base, "id", "") for base in node.bases}
                is_error = any(each in names or each.endswith(("Error", "Exception")) for each in bases)
                assert not is_error or node.name.startswith("_") or node.name in SIGNALS, (
                    f"{file}: {node.name}"
                )
            if isinstance(node, ast.ImportFrom) and node.module != "ansatz.errors":
                taken = {alias.name for alias in node.names} & names
                assert not taken, f"{file}: {taken} from {node.module}"


def test_every_imported_library_is_declared():
    """A library that another one happens to install may be missing after its next release."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    declared = {re.split(r"[^\w.-]", each)[0].lower().replace("_", "-") for each in requirements}
    libraries = packages_distributions()
    for file in (
        path for room in {"ansatz", *MAY_IMPORT} - {"benchmarks"} for path in (ROOT / room).rglob("*.py")
    ):
        for node in rooms.list_nodes(file):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for name in {each.partition(".")[0] for each in names} & libraries.keys():
                owners = {each.lower().replace("_", "-") for each in libraries[name]}
                assert owners & {*declared, "ansatz-eval"}, f"{file} imports {name}"

"""Import the libraries that calculations use, and call each once, as much of them is built on first use."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

# At level `filter` no file can be opened, so these modules are imported beforehand.
_WITHOUT_FILES = """
    abc array base64 bisect calendar cmath collections colorsys concurrent.futures.thread contextlib
    copy csv dataclasses datetime decimal difflib enum fractions functools graphlib hashlib heapq io
    itertools json locale math mpmath numbers numpy.fft numpy.linalg numpy.polynomial numpy.random
    operator pint pprint queue random re scipy scipy.constants scipy.fft scipy.integrate
    scipy.interpolate scipy.linalg scipy.optimize scipy.signal scipy.sparse scipy.spatial
    scipy.special scipy.stats secrets statistics string struct sympy sympy.parsing.sympy_parser
    sympy.physics.units sympy.stats tempfile textwrap threading time timeit traceback types typing
    unicodedata uuid warnings zoneinfo
"""

_NEVER_NEEDED = """
    benchmarks categories codegen compatibility conftest crypto diffgeom galgebra holonomic interactive
    liealgebras parsing physics plotting pytest randtest runtests sandbox this tmpfiles trace
"""


def preload(modules: Sequence[str], *, everything: bool) -> None:
    """Import `modules` and warm them; `everything` adds those that the level cannot import later.

    A module that is not installed is skipped; code that imports it gets an ImportError. Dask is treated as
    not installed, because pint would import it, and it looks for processes that are hidden here.
    """
    sys.modules["dask"] = None  # type: ignore[assignment]
    for name in (*modules, *(_WITHOUT_FILES.split() if everything else ())):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if everything:
        _import_below("sympy")
        with contextlib.suppress(ImportError, AttributeError):
            _cache_unit_definitions()
    for name in modules:
        if name in _WARM:
            with contextlib.suppress(ImportError):
                _WARM[name]()


def _import_below(package: str) -> None:
    """Import a package's modules, which the package would otherwise import on first use."""
    with contextlib.suppress(ImportError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for found in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            name = found.name.rpartition(".")[2]
            if name not in _NEVER_NEEDED.split() and not name.startswith("test"):
                importlib.import_module(found.name)
                if found.ispkg:
                    _import_below(found.name)


def _warm_sympy() -> None:
    """Integrate and solve, which imports half of the library and fills its tables of rules."""
    import sympy

    x, a = sympy.symbols("x a", positive=True)
    sympy.integrate(sympy.exp(-a * x) * x, (x, 0, sympy.oo))
    x = sympy.Symbol("x")
    for integrand in (
        sympy.log(x) / x,
        x**2 * sympy.cos(3 * x),
        sympy.exp(x) * sympy.sin(x),
        1 / (x**2 + x + 1),
        sympy.sqrt(x**2 + 1),
    ):
        sympy.integrate(integrand, x)
    sympy.integrate(sympy.exp(-(x**2) / 2), (x, -sympy.oo, sympy.oo))
    sympy.solve(x**2 - a, x)
    sympy.simplify(sympy.sin(x) ** 2 + sympy.cos(x) ** 2)
    sympy.sympify("x + 1")
    sympy.lambdify(x, x**2)(2)
    sympy.pi.evalf()


def _warm_coolprop() -> None:
    """Call a property function, which reads the fluids' data."""
    from CoolProp.CoolProp import PropsSI

    PropsSI("T", "P", 101325.0, "Q", 0.0, "Water")


def _warm_numpy() -> None:
    import numpy

    numpy.linalg.solve(numpy.eye(2), numpy.ones(2))
    numpy.random.default_rng(0).random()


def _cache_unit_definitions() -> None:
    """Read pint's definitions once while files can be opened; pint would read them for each registry."""
    import pint
    from pint.delegates import txt_defparser

    parsers: Any = txt_defparser.DefParser
    read, cache = parsers.parse_file, dict[str, Any]()

    def parse_file(parser: Any, path: object, *settings: Any) -> Any:
        if str(path) not in cache:
            cache[str(path)] = read(parser, path, *settings)
        return cache[str(path)]

    parsers.parse_file = parse_file
    pint.UnitRegistry()


_WARM: dict[str, Callable[[], None]] = {
    "numpy": _warm_numpy,
    "sympy": _warm_sympy,
    "CoolProp": _warm_coolprop,
    "CoolProp.CoolProp": _warm_coolprop,
}

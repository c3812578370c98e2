"""The shared pint registry, extended with units that pint does not define."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    import pint

TABLE: dict[str, Any] = yaml.load(
    Path(__file__).with_name("units.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
"""The tables of units.yaml; its comments describe them."""
STANDARD_ATMOSPHERE = 101325.0  # Pa; NIST SP 811 (2008), appendix B.8
DEFINITIONS: list[str] = TABLE["definitions"].splitlines()
GAUGES: dict[str, float] = TABLE["gauges"]

_build_lock = Lock()  # concurrent first calls must share one registry


def registry() -> pint.UnitRegistry[Any]:
    """Return the shared registry; pint cannot compare quantities of two registries.

    In a product, a temperature with an offset is absolute: 20 degC counts as 293.15 K.
    """
    with _build_lock:
        return _build_registry()


@cache
def _build_registry() -> pint.UnitRegistry[Any]:
    # pint imports Dask where it is installed, for arrays that Ansatz does not use. This takes half a second.
    hides_dask = sys.modules.setdefault("dask", None) is None  # type: ignore[arg-type]
    import pint

    if hides_dask:
        del sys.modules["dask"]
    import platformdirs

    def create_registry(cache: Path | None) -> pint.UnitRegistry[Any]:
        return pint.UnitRegistry(
            autoconvert_offset_to_baseunit=True, on_redefinition="ignore", cache_folder=cache
        )

    try:
        # The cache of parsed definitions contains paths of one pint installation, so each has its own.
        installation = sha256(pint.__file__.encode()).hexdigest()[:16]
        folder = platformdirs.user_cache_path("pint", appauthor=False, ensure_exists=True)
        units = create_registry(folder / installation)
    except Exception:  # the folder cannot be created, or another process is writing a file
        units = create_registry(None)
    units.load_definitions(DEFINITIONS)
    for unit, pascals in GAUGES.items():
        units.define(f"{unit}_gauge = {pascals!r} * pascal; offset: {STANDARD_ATMOSPHERE}")
    return units

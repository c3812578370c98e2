"""The one pint registry, with the units that pint lacks."""

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

_building = Lock()  # two threads that ask first at once must not get a registry each


def registry() -> pint.UnitRegistry[Any]:
    """The one registry: quantities of two registries cannot be compared.

    An offset temperature that enters a product is taken as absolute, so 20 degC counts as 293.15 K.
    """
    with _building:
        return _build_registry()


@cache
def _build_registry() -> pint.UnitRegistry[Any]:
    # pint imports Dask where it is installed, for arrays that we have none of: half a second of a start.
    hides_dask = sys.modules.setdefault("dask", None) is None  # type: ignore[arg-type]
    import pint

    if hides_dask:
        del sys.modules["dask"]
    import platformdirs

    def built(cache: Path | None) -> pint.UnitRegistry[Any]:
        return pint.UnitRegistry(
            autoconvert_offset_to_baseunit=True, on_redefinition="ignore", cache_folder=cache
        )

    try:
        # pint's definitions are parsed once for a user; what is kept names the files of the pint that did.
        own = sha256(pint.__file__.encode()).hexdigest()[:16]
        made = built(platformdirs.user_cache_path("pint", appauthor=False, ensure_exists=True) / own)
    except Exception:  # no such folder, or a file that another process is just writing
        made = built(None)
    made.load_definitions(DEFINITIONS)
    for unit, pascals in GAUGES.items():
        made.define(f"{unit}_gauge = {pascals!r} * pascal; offset: {STANDARD_ATMOSPHERE}")
    return made

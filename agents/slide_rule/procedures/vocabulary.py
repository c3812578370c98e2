"""The words and subscripts of vocabulary.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Words = tuple[tuple[str, str], ...]  # tag and the regular expression of its words


@cache
def _sheet() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = yaml.safe_load(
        Path(__file__).with_name("vocabulary.yaml").read_text(encoding="utf-8")
    )
    return loaded


@cache
def places() -> Mapping[str, Words]:
    """For each group of places its tags with their words."""
    return {group: tuple(map(tuple, listed)) for group, listed in _sheet()["places"].items()}


@cache
def subscripts(section: str) -> Mapping[str, str]:
    """What each subscript of a section stands for."""
    return {short: full for full, listed in _sheet()[section].items() for short in listed}

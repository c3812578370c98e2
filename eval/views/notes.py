"""What a chapter says below its tables: `notes.yaml` beside it."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files

import yaml


class Notes:
    """The notes of the package that a module is in, by name, read when the first is asked for."""

    def __init__(self, module: str) -> None:
        self._package = module.rpartition(".")[0]

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    @cached_property
    def _texts(self) -> dict[str, str]:
        text = files(self._package).joinpath("notes.yaml").read_text(encoding="utf-8")
        return {
            name: " ".join(note.split()) for name, note in yaml.load(text, Loader=yaml.CSafeLoader).items()
        }

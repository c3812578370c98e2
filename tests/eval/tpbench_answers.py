"""Labelled answers to our own TPBench problems: what each is, and how it has to be judged."""

from pathlib import Path
from typing import NamedTuple

import yaml


class Case(NamedTuple):
    """An answer to the problem that asks for `function`; `label` is the outcome, `kind` what was done to it."""

    name: str
    kind: str
    function: str
    label: str
    answer: str


CASES = [
    Case(**each)
    for each in yaml.load(
        Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
]

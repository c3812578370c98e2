"""One labelled answer."""

from typing import NamedTuple


class Case(NamedTuple):
    """An answer to the problem that asks for `function`; `label` is the outcome, `kind` what was done to it."""

    name: str
    kind: str
    function: str
    label: str
    answer: str


def cases(kind, label, table):
    """Cases of one kind from (name, function, code) rows; the code is fenced as a model would."""
    return tuple(
        Case(name, kind, function, label, f"Therefore:\n\n```python\n{code.strip()}\n```\n")
        for name, function, code in table
    )

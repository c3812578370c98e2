"""Tables are read by what their header, their labels and their cells say, in whatever order."""

import pytest

from ansatz.quantities.statements import find


def read(text, symbol):
    found = find(text, symbol)
    return (found.value, found.unit) if found else None


TABLES = {
    "values in any column": "| Unit | Symbol | Value |\n|---|---|---|\n| kPa | p_1 | 5 |\n| kPa | p_2 | 6 |",
    "value before its name": "| Value | Unit | Symbol |\n|---|---|---|\n| 5 | kPa | p_1 |\n| 6 | kPa | p_2 |",
    "states down": "| State | p (kPa) | T (K) |\n|---|---|---|\n| 1 (inlet) | 5 | 300 |\n| State 2 | 6 | 310 |",
    "states across": "| Property | State 1 | State 2 |\n|---|---|---|\n| p (kPa) | 5 | 6 |\n| T (K) | 300 | 310 |",
    "a column each": "| p_1 (kPa) | p_2 (kPa) |\n|---|---|\n| 5 | 6 |",
    "tabs": "p_1\t5\tkPa\np_2\t6\tkPa",
    "LaTeX": r"\begin{tabular}{ll} p_1 & 5 & kPa \\ p_2 & 6 & kPa \end{tabular}",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_tables_are_read_however_they_are_laid_out(text):
    assert (read(text, "p_1"), read(text, "p_2")) == ((5, "kPa"), (6, "kPa"))


@pytest.mark.parametrize(
    "text",
    [
        "| p_1 | – | kPa |\n| p_2 | n/a | kPa |",
        "| Symbol | Value |\n|---|---|\n| p_1 | |\n| p_2 | ___ |",
        "| State | T (K) |\n|---|---|\n| 1 | 300 |\n| 2 | 310 |",
        "| 1 | 2 | 3 |",
    ],
)
def test_what_a_table_does_not_state_is_not_read(text):
    assert (read(text, "p_1"), read(text, "p_2")) == (None, None)

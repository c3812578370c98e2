"""Views: tables and figures as data, over the stored rows of a study in columns."""

from ansatz.eval.views.attempts import Attempts, System, tag_values, values_of_tag
from ansatz.eval.views.results import Cut, Results, estimate
from ansatz.eval.views.section import (
    COEFFICIENT,
    COUNT,
    PROBABILITY,
    TIMES,
    Chapter,
    Column,
    Entry,
    Estimate,
    Figure,
    Panel,
    Section,
    Table,
    as_estimate,
    plain,
)

__all__ = [
    "COEFFICIENT",
    "COUNT",
    "PROBABILITY",
    "TIMES",
    "Attempts",
    "Chapter",
    "Column",
    "Cut",
    "Entry",
    "Estimate",
    "Figure",
    "Panel",
    "Results",
    "Section",
    "System",
    "Table",
    "as_estimate",
    "estimate",
    "plain",
    "tag_values",
    "values_of_tag",
]

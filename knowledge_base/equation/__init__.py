"""Entries of the equation base: their fields, executable formulas and regimes.

An entry is one YAML file; `Library` loads and validates all entries. The search and the regime packages build
on this one.
"""

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS, resolve_axis
from ansatz.knowledge_base.equation.canonical_form import compute_form, group_by_formula
from ansatz.knowledge_base.equation.equation import Equation, find_violations
from ansatz.knowledge_base.equation.grammar import Expression, Relation
from ansatz.knowledge_base.equation.library import FOLDER, Library, library
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.equation.reference_sheet import format_number, format_page
from ansatz.knowledge_base.equation.sampling import draw_states

__all__ = [
    "FOLDER",
    "NUMBERS",
    "WORDS",
    "Equation",
    "Expression",
    "Library",
    "Predicate",
    "Relation",
    "compute_form",
    "draw_states",
    "find_violations",
    "format_number",
    "format_page",
    "group_by_formula",
    "library",
    "resolve_axis",
]

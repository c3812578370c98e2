"""What an entry of the base is: its fields, its formula that can be executed and turned round, its regime.

An entry is one YAML file; `Library` loads and validates them all. Nothing here reads prose or searches: the
rooms beside this one build on it.
"""

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS, axis_name
from ansatz.knowledge_base.equation.canonical_form import distinct, form
from ansatz.knowledge_base.equation.equation import Equation, EvaluationError, RegimeWarning, violations
from ansatz.knowledge_base.equation.grammar import Expression, ExpressionError, Relation
from ansatz.knowledge_base.equation.library import (
    FOLDER,
    EntryError,
    Library,
    UnknownEquation,
    library,
)
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.equation.reference_sheet import number_words, page
from ansatz.knowledge_base.equation.sampling import states

__all__ = [
    "FOLDER",
    "NUMBERS",
    "WORDS",
    "EntryError",
    "Equation",
    "EvaluationError",
    "Expression",
    "ExpressionError",
    "Library",
    "Predicate",
    "RegimeWarning",
    "Relation",
    "UnknownEquation",
    "axis_name",
    "distinct",
    "form",
    "library",
    "number_words",
    "page",
    "states",
    "violations",
]

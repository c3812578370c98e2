"""What an entry of the base is: its fields, its formula that can be executed and turned round, its regime.

An entry is one YAML file; `Library` loads and validates them all. Nothing here reads prose or searches: the
rooms beside this one build on it.
"""

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS, axis_name
from ansatz.knowledge_base.equation.canonical_form import distinct, form
from ansatz.knowledge_base.equation.equation import Equation, violations
from ansatz.knowledge_base.equation.grammar import Expression, Relation
from ansatz.knowledge_base.equation.library import FOLDER, Library, library
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.equation.reference_sheet import number_words, page
from ansatz.knowledge_base.equation.sampling import states

__all__ = [
    "FOLDER",
    "NUMBERS",
    "WORDS",
    "Equation",
    "Expression",
    "Library",
    "Predicate",
    "Relation",
    "axis_name",
    "distinct",
    "form",
    "library",
    "number_words",
    "page",
    "states",
    "violations",
]

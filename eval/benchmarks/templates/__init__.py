"""Makes benchmark problems from templates: a seed draws the numbers, and a solution computes the keys.

A template is one YAML file and one family of problems. Its solution is a chain of knowledge-base equations or
formulas, which is executed for every instance. A problem set with a shared context is a template with
several questions.
"""

from ansatz.eval.benchmarks.templates.problems import make_problems, variety
from ansatz.eval.benchmarks.templates.template import (
    LANGUAGES,
    Language,
    Template,
    read_template,
    read_templates,
)
from ansatz.eval.benchmarks.templates.template_parts import StepSpec

__all__ = [
    "LANGUAGES",
    "Language",
    "StepSpec",
    "Template",
    "make_problems",
    "read_template",
    "read_templates",
    "variety",
]

"""The engine of benchmarks that are made from templates: numbers drawn by seed, keys computed.

A template is one YAML file and one family of problems; its solution, a chain of knowledge-base equations or
of formulas, is executed for every instance. A set of questions on one story is a template with several.
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

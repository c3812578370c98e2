"""The text of a question: its statement with numbers, names and articles, and the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.template import Language, Numbers, Template
from ansatz.eval.benchmarks.templates.template_parts import PLACEHOLDER, QuestionSpec, round_to
from ansatz.eval.problem import (
    ChoiceTarget,
    Formulation,
    LabelTarget,
    MessageTarget,
    NumberTarget,
    SymbolicTarget,
    Target,
)

_REPORT = {"en": "Report your answers as:", "zh": "请按以下格式给出答案："}
_CLOSED_FORM = {"en": "(closed form in {})", "zh": "（用 {} 表示的闭合表达式）"}
_BETWEEN = {"en": (", ", " or ", "({})"), "zh": ("、", "或", "（{}）")}
_SOUNDS_LIKE_CONSONANT = ("uni", "eu", "one", "use", "uk", "ute")
_SILENT_H = ("hour", "honest", "heir")
_SHOWN_DIGITS, _STATED_DIGITS = 4, 13
_PLAIN = (1e-3, 1e7)  # these numbers are written without a power of ten


def format_number(value: float, digits: int = _STATED_DIGITS) -> str:
    """Format a number for a question: 0.6, 101325, 3.1e-4. Only 0.001 to 10,000,000 has no power of ten."""
    rounded = round_to(digits, value)
    if rounded == 0:
        return "0"
    if _PLAIN[0] <= abs(value) < _PLAIN[1]:
        return np.format_float_positional(rounded, trim="-")
    mantissa, exponent = f"{rounded:.{digits - 1}e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def format_result(value: Any, digits: int = _SHOWN_DIGITS) -> str:
    """Format a result for a solution: four significant digits, a vector in brackets, a word unchanged."""
    if isinstance(value, str):
        return value
    if np.ndim(value):
        return f"[{', '.join(format_result(each, digits) for each in np.ravel(value).tolist())}]"
    return format_number(round_to(digits, value))


def with_unit(value: float, unit: str, digits: int = _SHOWN_DIGITS) -> str:
    """Format a result with its unit; the unit "-" is omitted."""
    return f"{format_result(value, digits)} {unit}".removesuffix(" -")


def article(noun: str) -> str:
    """Return the indefinite article of a noun phrase, by its sound: "an ice cube", "a unicycle"."""
    word = noun.lower()
    vowel = word.startswith(tuple("aeiou")) and not word.startswith(_SOUNDS_LIKE_CONSONANT)
    return "an" if vowel or word.startswith(_SILENT_H) else "a"


def first_case(name: str, cases: Mapping[str, str], template: Template, numbers: Numbers) -> str:
    """Return the first word whose comparison holds. Raises Infeasible if none does."""
    for word, case in cases.items():
        if template.holds(case, numbers):
            return word
    raise Infeasible(f"no case of {name} holds")


class Story:
    """Fills texts with the numbers, entities and words of one instance.

    Raises Infeasible if no case of a word holds.
    """

    def __init__(self, template: Template, values: Mapping[str, Any], numbers: Numbers) -> None:
        self.template, self.values, self.numbers = template, values, numbers
        self._texts = {name: format_result(value) for name, value in numbers.items()}
        for name, cases in template.words.items():
            self._texts[name] = first_case(name, cases, template, numbers)
        self._texts |= {name: each.text for name, each in template.entities.items()}
        self._texts |= {name: format_result(each, _STATED_DIGITS) for name, each in values.items()}

    def fill(self, text: str) -> str:
        """Replace every {placeholder}; {A_object} gets a capital indefinite article."""
        return PLACEHOLDER.sub(lambda found: self._replacement(found[1]), text).strip()

    def question(self, spec: QuestionSpec, targets: Sequence[Target], language: Language) -> str:
        """Return the filled statement and the form of the answer."""
        statement = spec.statement_zh if language == "zh" else spec.statement
        return f"{self.fill(statement)}\n\n{self._answer_form(spec, targets, language)}"

    def formulation(self, spec: QuestionSpec, targets: Sequence[Target], language: Language) -> Formulation:
        """Return the formulation of the problem: givens, targets, approach and assumptions."""
        stated = (
            f"{given.description}: {name} = {self._texts[name]} {given.unit}".removesuffix(" -")
            for name, given in self.template.stated(spec).items()
        )
        return Formulation(
            given="; ".join(stated) or "the situation as described, without numbers",
            find="; ".join(map(_describe_target, targets)),
            approach=self.fill(spec.formulation.approach),
            assumptions=self.fill(spec.formulation.assumptions),
            language=language,
        )

    def _replacement(self, name: str) -> str:
        if name in self._texts:
            return self._texts[name]
        noun = self._texts[name[2:] if name.startswith(("a_", "A_")) else name]
        indefinite = article(noun)
        return f"{indefinite.capitalize() if name[0] == 'A' else indefinite} {noun}"

    def _answer_form(self, spec: QuestionSpec, targets: Sequence[Target], language: Language) -> str:
        """Return a line for each number, label or closed form, or the options."""
        first = targets[0]
        if isinstance(first, ChoiceTarget):
            options = "\n".join(f"({letter}) {text}" for letter, text in first.options.items())
            return f"{options}\n\nReport your answer as the letter of the option:\n{first.name} = ___"
        if isinstance(first, MessageTarget):
            return self.template.in_sentences
        lines = (f"{each.name} = ___ {_form(spec, each, language)}".removesuffix(" -") for each in targets)
        return "\n".join([_REPORT[language], *lines])


def _form(spec: QuestionSpec, target: Target, language: Language) -> str:
    if isinstance(target, NumberTarget):
        return target.unit
    if isinstance(target, SymbolicTarget):
        return _CLOSED_FORM[language].format(", ".join(target.symbols))
    comma, last, brackets = _BETWEEN[language]
    label = spec.labels[target.name]
    *words, end = label.zh.values() if language == "zh" and label.zh else label.cases
    return brackets.format(f"{comma.join(words)}{last}{end}")


def _describe_target(target: Target) -> str:
    """Return the description, symbol and unit of a target."""
    if isinstance(target, NumberTarget):
        return f"{target.description}: {target.name} [{target.unit}]"
    if isinstance(target, SymbolicTarget):
        return f"{target.description}: {target.name} in terms of {', '.join(target.symbols)}"
    if isinstance(target, LabelTarget):
        return f"{target.description}: {target.name}"
    return "the right option" if isinstance(target, ChoiceTarget) else "an answer with its reason"


def final_answer(target: Target) -> str:
    """Return the last line of a worked solution."""
    if isinstance(target, NumberTarget):
        return f"{target.name} = {with_unit(target.value or 0.0, target.unit)}"
    if isinstance(target, ChoiceTarget):
        return f"({target.value}) {target.options[target.value]}"
    return f"{target.name} = {target.value}" if isinstance(target, LabelTarget) else str(target.value)

"""The words of a question: its story with numbers, names and articles put in, and how to answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ansatz.eval.benchmarks.physbench.consistency import PLACEHOLDER, entity_of
from ansatz.eval.benchmarks.physbench.template import Template
from ansatz.eval.benchmarks.physbench.worked import shown
from ansatz.eval.benchmarks.tps.instance import format_number
from ansatz.eval.benchmarks.tps.solution import Infeasible
from ansatz.eval.problem import ChoiceTarget, LabelTarget, MessageTarget, NumberTarget, Target
from ansatz.knowledge_base.equation import Comparison

_SOUNDS_LIKE_CONSONANT = ("uni", "eu", "one", "use", "uk", "ute")
_SILENT_H = ("hour", "honest", "heir")


def article(noun: str) -> str:
    """The indefinite article before a noun phrase, by its sound: "an ice cube", "a unicycle"."""
    word = noun.lower()
    vowel = word.startswith(tuple("aeiou")) and not word.startswith(_SOUNDS_LIKE_CONSONANT)
    return "an" if vowel or word.startswith(_SILENT_H) else "a"


class Story:
    """One instance's numbers, entities and words, and texts with them put in."""

    def __init__(
        self,
        template: Template,
        values: Mapping[str, float | str],
        numbers: Mapping[str, float],
        renamed: Mapping[str, str] = {},
    ) -> None:
        """Raises Infeasible where a word has no case that holds."""
        self._template = template
        self._values = values
        self.numbers = numbers
        self.entities = {name: renamed.get(name, each.text) for name, each in template.entities.items()}
        self._words = {name: _word(name, cases, numbers) for name, cases in template.words.items()}

    def tell(self, text: str) -> str:
        """The text with every {placeholder} put in; {A_object} has its article in capitals."""
        return PLACEHOLDER.sub(lambda found: self._put(found[1]), text).strip()

    def given_line(self) -> str:
        """The givens of a formulation; the story's own words where it states no numbers."""
        stated = (
            f"{given.description}: {name} = {self._put(name)} {given.unit}".removesuffix(" -")
            for name, given in self._template.givens.items()
        )
        return "; ".join(stated) or "the situation as described, without numbers"

    def _put(self, name: str) -> str:
        if name in self._template.givens and name in self._values:
            value = self._values[name]
            return value if isinstance(value, str) else format_number(value)
        if name in self.numbers:
            return shown(self.numbers[name])
        if name in self._words:
            return self._words[name]
        if name in self.entities:
            return self.entities[name]
        noun = self.entities[entity_of(name)]
        indefinite = article(noun)
        return f"{indefinite.capitalize() if name[0] == 'A' else indefinite} {noun}"


def answer_lines(template: Template, targets: Sequence[Target]) -> str:
    """How the answer is to be given: a line for each number or word, or the options."""
    first = targets[0]
    if isinstance(first, ChoiceTarget):
        options = "\n".join(f"({letter}) {text}" for letter, text in first.options.items())
        return f"{options}\n\nReport your answer as the letter of the option:\n{first.name} = ___"
    if isinstance(first, MessageTarget):
        return "Answer in a few sentences, and say which physical principle your answer rests on."
    lines = [f"{target.name} = ___ {_form(template, target)}".removesuffix(" -") for target in targets]
    return "\n".join(["Report your answers as:", *lines])


def _form(template: Template, target: Target) -> str:
    if isinstance(target, NumberTarget):
        return target.unit
    assert isinstance(target, LabelTarget)
    *words, last = template.labels[target.name].cases
    return f"({', '.join(words)} or {last})"


def _word(name: str, cases: Mapping[str, str], numbers: Mapping[str, float]) -> str:
    for word, case in cases.items():
        if Comparison.parse(case).holds(numbers):
            return word
    raise Infeasible(f"no case of {name} holds")

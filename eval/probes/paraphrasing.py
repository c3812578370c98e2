"""The probe `paraphrased`: a model rewrites the question, and a check computes whether it asks the same.

A draft is a variant that still has the text of its original. A study sends it to the paraphraser before the
arms answer, and drops a text that fails the check.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from ansatz.errors import ExpressionError, InvalidData, UnitError
from ansatz.eval.probes.renumbering import find_wrong_key, get_numbers, recompute_by_steps
from ansatz.eval.probes.statements import split_answer_form
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import convert_value, find_scale, is_close, is_difference

PARAPHRASED = "paraphrased"
_DRAFT = "paraphrase"
_SAME = 1e-6
"""Relative difference of the same value after a conversion."""
_STARTS = re.compile(r"(?<![\w.^])(?:[-−](?=\.?\d))?\.?\d")
_NUMERALS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMERAL = re.compile(rf"\b(?:{'|'.join(_NUMERALS)})\b", re.IGNORECASE)

Values = Mapping[str, float]
Recompute = Callable[[Problem, Values], Values]
"""Returns targets by name from givens by name, each in the unit of the problem."""
Quantity = tuple[str, "str | tuple[float, ...]"]
"""A value in SI units with six digits, and its dimension; or a value with a unit that is not known."""


def draft_paraphrase(problem: Problem, rng: random.Random) -> Problem | str:
    """Return the variant as a draft, which has the text of its original until a model rewrites it."""
    return problem.model_copy(update={"tags": {**problem.tags, _DRAFT: "draft"}})


def is_draft(problem: Problem) -> bool:
    """Whether the problem is a variant that a model still has to rewrite."""
    return problem.tags.get(_DRAFT) == "draft"


def make_task(draft: Problem) -> Problem:
    """Return the draft as the paraphraser sees it: the text of its question, without the answer form."""
    text, _ = split_answer_form(draft.question)
    changes = {"question": text, "context": "", "follows": (), "tags": _remove_mark(draft)}
    return draft.model_copy(update=changes)


def apply_paraphrase(draft: Problem, text: str) -> Problem:
    """Return the variant with a text that passed the check, and the answer form of the draft."""
    _, form = split_answer_form(draft.question)
    return draft.model_copy(update={"question": f"{text.strip()}{form}", "tags": _remove_mark(draft)})


def _remove_mark(draft: Problem) -> dict[str, str | tuple[str, ...]]:
    return {name: value for name, value in draft.tags.items() if name != _DRAFT}


def find_difference(task: Problem, text: str) -> str:
    """Return why a text does not ask the same as the task, such as "quantities: 5 m/s is added".

    The reason is empty if no difference is found. The text has to state the same quantities (values with
    units), give each symbol its value once as before, and name the same symbols and requested units. If the
    benchmark or the steps of the reference solution can compute the key, the values read from the text have
    to give it. Other words are not compared.
    """
    old, new = task.question, text.strip()
    if not new or "___" in new:
        return "no question" if new else "empty"
    if new.split() == old.split():
        return "unchanged"
    return _compare_quantities(old, new) or _compare_names(task, old, new) or _compare_values(task, new)


def _compare_quantities(old: str, new: str) -> str:
    """Return the first difference of the multisets of quantities; empty if there is none."""
    before, after = _read_quantities(old), _read_quantities(new)
    counts = Counter(key for key, _ in before), Counter(key for key, _ in after)
    missing, added = counts[0] - counts[1], counts[1] - counts[0]
    if missing:
        return f"quantities: {next(text for key, text in before if key in missing)} is missing or changed"
    return f"quantities: {next(text for key, text in after if key in added)} is added" if added else ""


def _read_quantities(text: str) -> list[tuple[Quantity, str]]:
    """Return the quantities of a text as value and dimension, and as written. Numerals in words count."""
    words = _NUMERAL.findall(text)
    found = [(_identify(_NUMERALS.index(word.lower()) + 2.0, ""), word) for word in words]
    plain, end = to_plain_text(text), 0
    for start in _STARTS.finditer(plain):
        number = read_number(plain, start.start()) if start.start() >= end else None
        if number is not None:
            unit, end = read_unit(plain, number.end)
            found.append((_identify(number.value, unit), plain[start.start() : end].strip()))
    return found


def _identify(value: float, unit: str) -> Quantity:
    """Return the value in SI units with six digits, and its dimension or else its unit."""
    scale = find_scale(unit)
    if scale is None:
        return f"{value:.6g}", unit
    return f"{value * scale.factor + scale.offset:.6g}", scale.dimension


def _compare_names(task: Problem, old: str, new: str) -> str:
    """Return the first symbol or requested unit that only one of the texts has; empty if there is none."""
    symbols = {each.name: "symbol" for each in (*task.givens, *task.targets)}
    units = {
        each.unit: "requested unit"
        for each in task.targets
        if isinstance(each, NumberTarget) and each.unit != "-"
    }
    for name, kind in {**units, **symbols}.items():
        pattern = re.compile(rf"(?<![\w^]){re.escape(name)}(?!\w)")
        if bool(pattern.search(old)) != bool(pattern.search(new)):
            return f"{kind}s: {name} is {'missing' if pattern.search(old) else 'added'}"
    return ""


def _compare_values(task: Problem, new: str) -> str:
    """Return which given or key is another by the values that a text states; empty if none is.

    A key that the values of the task do not give is not compared.
    """
    before, after = (_read_values(task, text) for text in (task.question, new))
    if missing := before.keys() - after.keys():
        return f"values: {min(missing)} is no longer stated once as symbol = number unit"
    recompute, numbers = find_recompute(task), get_numbers(task)
    read = {name: after[name] for name, value in before.items() if is_close(value, numbers[name], _SAME)}
    if recompute and (wrong := _find_wrong_key(recompute, task, {**numbers, **read})):
        return f"key: the values give another one for {wrong}"
    changed = [name for name, value in before.items() if not is_close(value, after[name], _SAME)]
    return f"values: {changed[0]} is another one" if changed else ""


def _read_values(task: Problem, text: str) -> dict[str, float]:
    """Return the givens that a text states once as symbol = number unit, in the units of the task."""
    found: dict[str, float] = {}
    for given in (each for each in task.givens if not isinstance(each.value, str)):
        stated = re.findall(rf"(?<![\w^]){re.escape(given.name)}\s*=\s*([^=]+)", text)
        number = read_number(stated[0].replace("−", "-")) if len(stated) == 1 else None
        if number is not None:
            unit, _ = read_unit(stated[0], number.end)
            is_change = is_difference(given.name, given.description, given.unit)
            value = convert_value(number.value, unit or "-", given.unit, is_change)
            found |= {given.name: value} if value is not None else {}
    return found


def find_recompute(problem: Problem) -> Recompute | None:
    """Return a function that computes the key of a problem from its givens; None if there is none.

    It is the function `recompute` of the module that loads the benchmark, or else the steps of the reference
    solution.
    """
    for recompute in filter(None, (_find_function(problem.benchmark), recompute_by_steps)):
        if not _find_wrong_key(recompute, problem, get_numbers(problem)):
            return recompute
    return None


@cache
def _find_function(benchmark: str) -> Recompute | None:
    for found in entry_points(group="ansatz.benchmarks", name=benchmark):
        recompute: Recompute | None = getattr(import_module(found.module), "recompute", None)
        return recompute
    return None


def _find_wrong_key(recompute: Recompute, problem: Problem, numbers: Values) -> str:
    try:
        return find_wrong_key(problem, recompute(problem, numbers))
    except (ExpressionError, InvalidData, UnitError, ValueError, KeyError) as error:
        return str(error) or "a target"

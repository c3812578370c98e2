"""What a problem asks for: numbers, words and a closed form, and the lines to answer them on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ansatz.eval.benchmarks.tps.derivation import DerivationSpec, domain
from ansatz.eval.benchmarks.tps.solution import Infeasible
from ansatz.eval.benchmarks.tps.template import Calculation, Template
from ansatz.eval.problem import LabelTarget, NumberTarget, SymbolicTarget, Target
from ansatz.knowledge_base.equation import Comparison

_REPORT = {"en": "Report your answers as:", "zh": "请按以下格式给出答案："}
_CLOSED_FORM = {"en": "(closed form in {})", "zh": "（用 {} 表示的闭合表达式）"}
_BETWEEN = {"en": (", ", " or ", "({})"), "zh": ("、", "或", "（{}）")}


def make_targets(template: Template, numbers: Mapping[str, float]) -> tuple[Target, ...]:
    """The targets with their values. Raises Infeasible where no case of a label holds."""
    found: list[Target] = [_closed_form(template, template.derivation)] if template.derivation else []
    return (*found, *asked_values(template, numbers))


def asked_values(template: Calculation, numbers: Mapping[str, float]) -> Iterator[NumberTarget | LabelTarget]:
    """The numbers and then the words asked for. Raises Infeasible where no case of a label holds."""
    for name, target in template.targets.items():
        yield NumberTarget(
            name=name,
            unit=template.units[name],
            weight=target.weight,
            value=numbers[name],
            description=target.description,
        )
    yield from _labels(template, numbers)


def _closed_form(template: Template, wanted: DerivationSpec) -> SymbolicTarget:
    return SymbolicTarget(
        name=wanted.name,
        weight=wanted.weight,
        description=wanted.description,
        value=wanted.closed_form,
        symbols=wanted.symbols,
        domains={
            symbol: wanted.ranges.get(symbol) or domain(template.givens[symbol]) for symbol in wanted.symbols
        },
    )


def _labels(template: Calculation, numbers: Mapping[str, float]) -> Iterator[LabelTarget]:
    for name, label in template.labels.items():
        holding = (word for word, case in label.cases.items() if Comparison.parse(case).holds(numbers))
        if (word := next(holding, None)) is None:
            raise Infeasible(f"no case of {name} holds")
        yield LabelTarget(
            name=name,
            weight=label.weight,
            description=label.description,
            value=word,
            accepted=(label.zh[word],) if label.zh else (),
        )


def answer_block(template: Template, targets: Sequence[Target], language: str) -> str:
    """A line for each target, with its unit, its words, or the symbols of its closed form."""
    lines = (f"{target.name} = ___ {_form(template, target, language)}".rstrip(" -") for target in targets)
    return "\n".join([_REPORT[language], *lines])


def _form(template: Template, target: Target, language: str) -> str:
    if isinstance(target, NumberTarget):
        return target.unit
    if isinstance(target, SymbolicTarget):
        return _CLOSED_FORM[language].format(", ".join(target.symbols))
    comma, last, brackets = _BETWEEN[language]
    label = template.labels[target.name]
    *words, end = label.zh.values() if language == "zh" and label.zh else label.cases
    return brackets.format(f"{comma.join(words)}{last}{end}")


def find_line(targets: Sequence[Target]) -> str:
    """What is sought, for a formulation: words, symbol and unit of each target."""
    return "; ".join(f"{target.description}: {_sought(target)}" for target in targets)


def _sought(target: Target) -> str:
    if isinstance(target, NumberTarget):
        return f"{target.name} [{target.unit}]"
    if isinstance(target, SymbolicTarget):
        return f"{target.name} in terms of {', '.join(target.symbols)}"
    return target.name

"""One attempt as the checks see it: its statements, formulas and sentences, read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ansatz.agents import ToolCall, Transcript
from ansatz.eval.chains import Chain, chains, read_value
from ansatz.eval.extract import Statement, pick, spelled, stated
from ansatz.eval.letters import GREEK_NAMES
from ansatz.eval.markup import plain
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.quantities import scale
from ansatz.eval.rubrics.arithmetic import Formula, read_formula
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.library import Library

_LONGEST_ANSWER = 20_000  # characters; the end of a longer answer is read
_SHORTEST_COPY = 30  # characters from which a sentence that stands in the question too counts as copied
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_WRAPPED = re.compile(r"(?<=[a-z,])\n(?=[a-z(\d])")
_SHORTEST_WRAPPED = 60  # characters from which a line without an end is a wrapped sentence and no list entry
_SHORTEST_WORD = 4  # letters; shorter ones such as cp and eps may be symbols
_MOST_STARTS = 24  # words of prose after which a formula may begin
_CHAINS_AHEAD = 2  # chains in which the result of a substitution that ends a line is sought


@dataclass(frozen=True)
class Term:
    """A side of an equality that is an expression: what it defines, and the value it is said to have.

    Of a balance `A = B` between two formulas it is their difference, and `sides` holds both.
    """

    names: tuple[str, ...]
    formula: Formula
    claimed: tuple[float, str, int] | None
    position: int
    sides: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Working:
    """An attempt read against its problem. Sentences copied from the question are left out of all of it."""

    problem: Problem
    transcript: Transcript
    library: Library

    @cached_property
    def text(self) -> str:
        """The answer in plain notation."""
        question = _squeezed(plain(f"{self.problem.context}\n{self.problem.question}"))
        lines = []
        for line in plain(self.transcript.answer[-_LONGEST_ANSWER:]).split("\n"):
            kept = [part for part in re.split(r"(?<=[.!?]) ", line) if not _copied(part, question)]
            lines.append(" ".join(kept))
        return _with_gradients("\n".join(lines), self.problem)

    @cached_property
    def code(self) -> str:
        """What tools were given and answered, as plain text."""
        return plain("\n".join(_told(call.arguments) + "\n" + call.result for call in self.tool_calls))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(call for call in self.transcript.tool_calls if call.ok)

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        return chains(self.text)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return stated(self.chains)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in _SENTENCE.split(_flowing(self.text)) if part and part.strip())

    @cached_property
    def targets(self) -> tuple[NumberTarget, ...]:
        return tuple(target for target in self.problem.targets if isinstance(target, NumberTarget))

    @cached_property
    def finals(self) -> dict[str, Statement]:
        """The last statement of each target that the answer states."""
        found = {
            each.name: pick(self.statements, each.name, description=each.description) for each in self.targets
        }
        if len(self.targets) == 1 and found[self.targets[0].name] is None:
            found[self.targets[0].name] = pick(self.statements, "answer")
        return {name: statement for name, statement in found.items() if statement is not None}

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The expressions of the answer and of the code that its tools were given."""
        return (*_terms(self.chains), *_terms(chains(self.code) if self.code else ()))

    @cached_property
    def known(self) -> dict[str, float]:
        """SI values by spelled name: what the problem gives and its solution reaches."""
        found = {
            spelled(g.name): si(g.value, g.unit) for g in self.problem.givens if not isinstance(g.value, str)
        }
        found |= {spelled(step.symbol): si(step.value, step.unit) for step in self.problem.reference.steps}
        return {name: value for name, value in found.items() if value is not None}

    @cached_property
    def numbers(self) -> frozenset[float]:
        """Every number of the problem and its solution, as given and in SI."""
        given = [(g.value, g.unit) for g in self.problem.givens if not isinstance(g.value, str)]
        pairs = [*given, *((step.value, step.unit) for step in self.problem.reference.steps)]
        forms = (form for value, unit in pairs for form in (value, si(value, unit)))
        return frozenset(abs(form) for form in forms if form)

    @cached_property
    def gold(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.gold_equations)

    @cached_property
    def traps(self) -> tuple[Equation, ...]:
        return self._equations(self.problem.reference.trap_equations)

    def _equations(self, ids: tuple[str, ...]) -> tuple[Equation, ...]:
        return tuple(self.library.get(id) for id in ids if id in self.library)


def si(value: float, unit: str) -> float | None:
    """The value in SI base units; None where the unit cannot be read."""
    known = scale(unit)
    return None if known is None else value * known.factor + known.offset


def close(first: float, second: float, relative: float) -> bool:
    return abs(first - second) <= relative * max(abs(first), abs(second))


def words(text: str) -> set[str]:
    """The words of a text that can carry its subject: four letters and more, without the commonest."""
    return {_stem(word) for word in re.findall("[a-z]{4,}", text.lower())} - _COMMON


def is_prose(sentence: str) -> bool:
    """Whether this is a sentence, not a heading, a list of keywords or a formula."""
    found = re.findall("[A-Za-z]+", sentence)
    functional = sum(word.lower() in _FUNCTION_WORDS for word in found)
    complete = len(found) >= 8 and sentence.rstrip().endswith((".", ";", "!", "?"))
    return (
        5 <= len(found) <= 90
        and functional >= 0.15 * len(found)
        and (complete or bool(_VERB.search(sentence)))
    )


_FUNCTION_WORDS = frozenset(
    re.split(
        r"\s+",
        "the a an of is are was in to with at we so that as for by and this than from on its it be which or",
    )
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|does|do|must|can|will|would|applies|holds|remains?|lies|exceeds?|means?"
    r"|implies|indicates?|requires?|assum\w+|neglect\w*|treat\w*|gives?|shows?|sets?|corresponds?|neglected|stays?)\b"
)
_COMMON = frozenset(
    re.split(
        r"\s+",
        "that this with from which then than have been will would into when where value valu result given "
        "find using used equation formula answer problem therefore thus hence also each only such both their",
    )
)


def _stem(word: str) -> str:
    """Plural and verb endings off: enough to match "assumed" with "assumes"."""
    return re.sub(r"(?:ies|es|s|ed|ing|ly)$", "", word) if len(word) > 5 else word.rstrip("s")


def _terms(found: tuple[Chain, ...]) -> Iterator[Term]:
    for place, chain in enumerate(found):
        if not chain.names and len(chain.terms) == 2:
            yield from _balance(chain)
        for i, text in enumerate(chain.terms):
            formula = read_formula(text) if chain.names else _formula_after_prose(text)
            if formula and formula.operations:
                ahead = chain.terms[i + 1 : i + 2 if formula.names else None]
                claimed = next((value for value in map(read_value, ahead) if value), None)
                if i + 1 == len(chain.terms) and not formula.names:
                    claimed = _stated_next(chain, found[place + 1 : place + 1 + _CHAINS_AHEAD])
                yield Term(chain.names, formula, claimed, chain.position)


def _formula_after_prose(text: str) -> Formula | None:
    """The longest end of a text that is a formula and holds no words."""
    starts = [0, *(found.end() for found in re.finditer(r"\s+|(?<=:)", text))]
    for start in starts[-_MOST_STARTS:]:
        if text[:start].rstrip().endswith(("*", "/", "+", "^")):
            continue  # the rest of a longer expression
        formula = read_formula(text[start:])
        if formula and not any(_is_word(name) for name in formula.names):
            return formula
    return None


def _is_word(name: str) -> bool:
    return name in _FUNCTION_WORDS or (
        name.isalpha() and name.islower() and len(name) >= _SHORTEST_WORD and name not in GREEK_NAMES
    )


def _stated_next(chain: Chain, following: tuple[Chain, ...]) -> tuple[float, str, int] | None:
    """The value on the next line for a symbol whose substitution ends this one."""
    same = (each for each in following if set(each.names) & set(chain.names))
    return next((read_value(each.terms[0]) for each in same if each.terms), None)


def _balance(chain: Chain) -> Iterator[Term]:
    """`A = B` between two formulas in symbols, as the formula A - B."""
    left, right = map(read_formula, chain.terms)
    if left and right and left.names and right.names:
        difference = read_formula(f"({left.text}) - ({right.text})")
        if difference:
            yield Term((), difference, None, chain.position, (left, right))


def _told(arguments: object) -> str:
    """Every text in a tool's arguments; nested values line by line."""
    if isinstance(arguments, dict):
        return "\n".join(
            f"{key} = {_told(value)}" if not isinstance(value, str) else _assigned(key, value)
            for key, value in arguments.items()
        )
    if isinstance(arguments, list):
        return "\n".join(map(_told, arguments))
    return str(arguments)


def _assigned(key: str, value: str) -> str:
    """A short value is stated as `key = value`; a program or a statement stands as it is."""
    return f"{key} = {value}" if "=" not in value and "\n" not in value else value


def _with_gradients(text: str, problem: Problem) -> str:
    """The text with dT/dy written as dTdy, where a given has that name."""
    for given in problem.givens:
        parts = re.fullmatch(r"(d[A-Za-z]\w*?)_?(d[a-z])", given.name)
        if parts:
            text = re.sub(rf"\(?\b{parts[1]} ?\)?/ ?\(?{parts[2]}\b\)?", given.name, text)
    return text


def _flowing(text: str) -> str:
    """The text with the lines of a wrapped paragraph joined."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and len(lines[-1]) >= _SHORTEST_WRAPPED and _WRAPPED.search(f"{lines[-1]}\n{line}"):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).lower()


def _copied(part: str, question: str) -> bool:
    return len(part) >= _SHORTEST_COPY and _squeezed(part).strip() in question

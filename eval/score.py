"""What a scorer is: given an attempt, a value in [0, 1] on each of its dimensions, with the evidence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from ansatz.errors import NoModelToAsk
from ansatz.eval.problem import Problem

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.tools import BaseTool

    from ansatz.agents import ModelClient, Transcript


@dataclass(frozen=True)
class Scale:
    """How a stored value is shown to people: times `factor`, plus `offset`, with so many decimals.

    Example: `Scale.between(0, 2).show(0.5)`.
    """

    name: str
    factor: float = 1.0
    decimals: int = 1
    offset: float = 0.0

    @classmethod
    def between(cls, low: float, high: float) -> Scale:
        """A scale whose ends are what 0 and 1 stand for, such as 0 to 2 points."""
        return cls(f"{low:g}–{high:g}", high - low, 1 if high - low >= 10 else 2, low)

    def show(self, value: float | None) -> str:
        """A value as text; a dash where there is none."""
        return "–" if value is None else self._text(value * self.factor + self.offset)

    def show_change(self, value: float | None) -> str:
        """A difference of two values with its sign; one that rounds to zero has none."""
        return "–" if value is None else self._text(value * self.factor, "+")

    def show_end(self, value: float | None) -> str:
        """Format an end of an interval that excludes zero. A small end is shown as, say, +<0.1."""
        shown = self.show_change(value)
        if not value or any(digit in shown for digit in "123456789"):
            return shown
        return f"{'+' if value * self.factor > 0 else '−'}<{10.0**-self.decimals:.{self.decimals}f}"

    def show_size(self, value: float | None) -> str:
        """How large a difference is, whichever its direction."""
        return "–" if value is None else self._text(abs(value) * self.factor)

    def _text(self, shown: float, sign: str = "") -> str:
        text = f"{shown:{sign},.{self.decimals}f}"
        return text.replace("-", "−") if any(digit in text for digit in "123456789") else text.lstrip("+-")

    def number(self, value: float | None, *, change: bool = False) -> float | None:
        """The shown value, or the `change` of one, with three digits more than people need."""
        if value is None:
            return None
        return round(value * self.factor + (0.0 if change else self.offset), self.decimals + 3) + 0.0


_LONGEST_TITLE = 32  # characters
PERCENT = Scale("0–100", 100.0, 1)
POINTS = Scale("0–2", 2.0, 2)


@dataclass(frozen=True)
class Dimension:
    """One thing that is measured of an attempt. A scorer declares its own; nothing is guessed from names.

    `summary` says in a few words what it is, such as "formula selection". `better` is the direction of
    improvement. `role` tells what it is for: "quality" is compared between arms first of all, "error" is the
    share of answers with a kind of error, and "resource" is what an attempt took. A `detail` is one of
    several that another dimension sums up, so that a short table leaves it out.

    Example: `Dimension("G1", "formula selection", Scale.between(0, 2))`.
    """

    name: str
    summary: str = ""
    scale: Scale = PERCENT
    better: Literal["higher", "lower"] = "higher"
    role: Literal["quality", "error", "resource"] = "quality"
    detail: bool = False

    @property
    def title(self) -> str:
        """The name spelled out, such as "G1 formula selection", where that is short."""
        spelled = f"{self.name} {self.summary}".strip()
        return spelled if len(spelled) <= _LONGEST_TITLE else self.name

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Dimension:
        return cls(**{**content, "scale": Scale(**content["scale"])})


class Score(BaseModel):
    """What an attempt is worth on one dimension, with the evidence for people and the details for programs.

    `value` is None where the scorer cannot tell; `evidence` then says why. `details` is plain JSON.

    Example: `Score(dimension="brevity", value=1.0, evidence="12 words")`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    dimension: str
    value: float | None = Field(ge=0, le=1)
    evidence: str
    details: dict[str, Any] = {}


class Ask(Protocol):
    """Asks a model for a scorer. What is asked is remembered in the ledger, and billed apart from the arms.

    `model` is the title of one of the scorer's `wanted_models`. Raises InfrastructureError where it cannot
    be reached.
    """

    async def __call__(
        self, model: str, messages: Sequence[BaseMessage], tools: Sequence[BaseTool] = ()
    ) -> AIMessage: ...


async def no_model(model: str, messages: Sequence[BaseMessage], tools: Sequence[BaseTool] = ()) -> AIMessage:
    """Where no model can be asked: always raises."""
    raise NoModelToAsk(f"{model} cannot be asked here: score within a study, or with `ansatz score`")


def ask_through(clients: Mapping[str, ModelClient]) -> Ask:
    """Asks the model of a title through its client."""

    async def ask(model: str, messages: Sequence[BaseMessage], tools: Sequence[BaseTool] = ()) -> AIMessage:
        if model not in clients:
            raise NoModelToAsk(f"{model} is none of the models that scorers want here")
        return (await clients[model].reply(messages, tools)).message

    return ask


@dataclass(frozen=True)
class StatedValue:
    """A number with its unit as written ("" for none), or a word."""

    value: float | str
    unit: str = ""


@dataclass(frozen=True)
class Extraction:
    """What a model read: "ok" with values by target, or "failed" with the reason, where no pass served.

    `unsupported` lists the targets whose number stands nowhere in the answer: they are no values of it.
    """

    status: Literal["ok", "failed"]
    values: Mapping[str, StatedValue] = field(default_factory=dict)
    unsupported: tuple[str, ...] = ()
    reason: str = ""


class Read(Protocol):
    """Has the values that an answer states read by the model of the study's `reading`.

    `words` are those that a label may be, where they are known. Raises ModelError where no request will do.
    """

    async def __call__(self, problem: Problem, answer: str, words: Sequence[str] = ()) -> Extraction: ...


@dataclass(frozen=True)
class ScoringContext:
    """All that a scorer may use: the problem with its key, the attempt, and a way to ask models.

    `read` is None where answers are read by rules, which is the default of a study. The scorers of an attempt
    have one context, and `found` is for what one of them found and another would have to find again.

    Example: `ScoringContext(problem, transcript).transcript.answer`.
    """

    problem: Problem
    transcript: Transcript
    ask: Ask = no_model
    read: Read | None = None
    found: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)


class Scorer(Protocol):
    """Scores an attempt on its dimensions. Implementations are frozen dataclasses; fields are settings.

    `dimensions` are all that it reports, in the order of a report. A scorer that asks models also has
    `wanted_models`; see `eval.judging.UsesJudges`.

    Example:

        @dataclass(frozen=True)
        class Brevity:
            words: int = 200
            dimensions = (Dimension("brevity", "at most so many words"),)

            async def score(self, context: ScoringContext) -> tuple[Score, ...]:
                count = len(context.transcript.answer.split())
                value = float(count <= self.words)
                return (Score(dimension="brevity", value=value, evidence=f"{count} words"),)
    """

    @property
    def dimensions(self) -> tuple[Dimension, ...]: ...

    async def score(self, context: ScoringContext) -> tuple[Score, ...]: ...


@runtime_checkable
class NeedsCheck(Protocol):
    """A scorer that may lack what it needs to score. It is asked when a study is made."""

    def check(self) -> None:
        """Raises ValueError, with the reason, where it cannot score as its settings ask."""
        ...

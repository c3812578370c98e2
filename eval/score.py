"""The interface of a scorer: it returns a value in [0, 1] with evidence for each of its dimensions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
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
    """How reports show a stored value: `value * factor + offset`, rounded to `decimals`.

    Example: `Scale.between(0, 2).show(0.5)`.
    """

    name: str
    """Name of the scale, such as "0–100"."""
    factor: float = 1.0
    decimals: int = 1
    """Decimals that are shown."""
    offset: float = 0.0

    @classmethod
    def between(cls, low: float, high: float) -> Scale:
        """Return a scale that shows 0 as `low` and 1 as `high`, such as 0 to 2 points."""
        return cls(f"{low:g}–{high:g}", high - low, 1 if high - low >= 10 else 2, low)

    def show(self, value: float | None) -> str:
        """Format a value; a dash for None."""
        return "–" if value is None else self._text(value * self.factor + self.offset)

    def show_change(self, value: float | None) -> str:
        """Format a difference of two values with its sign; no sign if it rounds to zero."""
        return "–" if value is None else self._text(value * self.factor, "+")

    def show_end(self, value: float | None) -> str:
        """Format an end of an interval that excludes zero.

        A small end has up to two more digits, such as +0.04; a smaller one is shown as, say, +<0.001.
        """
        if not value:
            return self.show_change(value)
        for more in range(3):
            shown = replace(self, decimals=self.decimals + more).show_change(value)
            if any(digit in shown for digit in "123456789"):
                return shown
        return (
            f"{'+' if value * self.factor > 0 else '−'}<{10.0 ** -(self.decimals + 2):.{self.decimals + 2}f}"
        )

    def show_size(self, value: float | None) -> str:
        """Format the size of a difference without its sign."""
        return "–" if value is None else self._text(abs(value) * self.factor)

    def _text(self, shown: float, sign: str = "") -> str:
        text = f"{shown:{sign},.{self.decimals}f}"
        return text.replace("-", "−") if any(digit in text for digit in "123456789") else text.lstrip("+-")

    def to_number(self, value: float | None, *, change: bool = False) -> float | None:
        """Return the value on the scale, with three more decimals than shown.

        With `change`, `value` is a difference, so the offset does not apply.
        """
        if value is None:
            return None
        return round(value * self.factor + (0.0 if change else self.offset), self.decimals + 3) + 0.0


_LONGEST_TITLE = 32  # characters
PERCENT = Scale("0–100", 100.0, 1)
POINTS = Scale("0–2", 2.0, 2)


@dataclass(frozen=True)
class Dimension:
    """A measured property of an attempt.

    Example: `Dimension("G1", "formula selection", Scale.between(0, 2))`.
    """

    name: str
    summary: str = ""
    """A few words on what it measures, such as "formula selection"."""
    scale: Scale = PERCENT
    """How reports show its values."""
    better: Literal["higher", "lower"] = "higher"
    """The direction of improvement."""
    role: Literal["quality", "error", "resource"] = "quality"
    """"quality" is compared between arms first; "error" is the share of answers with a kind of error;
    "resource" is what an attempt used."""
    detail: bool = False
    """Whether another dimension summarizes it; short tables omit such dimensions."""

    @property
    def title(self) -> str:
        """The name with the summary, such as "G1 formula selection", if that is short."""
        spelled = f"{self.name} {self.summary}".strip()
        return spelled if len(spelled) <= _LONGEST_TITLE else self.name

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Dimension:
        return cls(**{**content, "scale": Scale(**content["scale"])})


class Score(BaseModel):
    """The score of an attempt on one dimension.

    Example: `Score(dimension="brevity", value=1.0, evidence="12 words")`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    dimension: str
    """Name of the dimension."""
    value: float | None = Field(ge=0, le=1)
    """From 0 to 1; None if the scorer cannot decide."""
    evidence: str
    """The reason for the value, for readers."""
    details: dict[str, Any] = {}
    """Plain JSON for programs."""


class Ask(Protocol):
    """Sends a scorer's request to a model. The ledger stores the reply and its separate cost.

    `model` is the title of one of the scorer's `wanted_models`. Raises InfrastructureError if the model
    cannot be reached.
    """

    async def __call__(
        self, model: str, messages: Sequence[BaseMessage], tools: Sequence[BaseTool] = ()
    ) -> AIMessage: ...


async def no_model(model: str, messages: Sequence[BaseMessage], tools: Sequence[BaseTool] = ()) -> AIMessage:
    """Raise NoModelToAsk. This is the default `ask` of a context without models."""
    raise NoModelToAsk(f"{model} cannot be asked here: score within a study, or with `ansatz score`")


def ask_through(clients: Mapping[str, ModelClient]) -> Ask:
    """Return a function that sends requests to the client with the model's title."""

    async def ask(model: str, messages: Sequence[BaseMessage], tools: Sequence[BaseTool] = ()) -> AIMessage:
        if model not in clients:
            raise NoModelToAsk(f"{model} is not among the models that the scorers requested")
        return (await clients[model].reply(messages, tools)).message

    return ask


@dataclass(frozen=True)
class StatedValue:
    """A number with its unit as written (empty if there is none), or a word."""

    value: float | str
    unit: str = ""


@dataclass(frozen=True)
class Extraction:
    """The values that a model read in an answer."""

    status: Literal["ok", "failed"]
    values: Mapping[str, StatedValue] = field(default_factory=dict)
    """Values by target."""
    unsupported: tuple[str, ...] = ()
    """Targets for which the model returned a number that the answer does not contain. They have no value."""
    reason: str = ""
    """Why the reading failed."""


class Read(Protocol):
    """Reads the values that an answer states with the study's `reading` model.

    `words` are the possible labels, if known. Raises ModelError if the model cannot be used.
    """

    async def __call__(self, problem: Problem, answer: str, words: Sequence[str] = ()) -> Extraction: ...


@dataclass(frozen=True)
class ScoringContext:
    """What a scorer can use.

    Example: `ScoringContext(problem, transcript).transcript.answer`.
    """

    problem: Problem
    """The problem with its right values."""
    transcript: Transcript
    """The attempt."""
    ask: Ask = no_model
    """Sends requests to the models that the scorer wants."""
    read: Read | None = None
    """Reads answers with a model; None, the default of a study, if rules read them."""
    found: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)
    """A cache that the scorers of an attempt share."""


class Scorer(Protocol):
    """Scores an attempt on its dimensions. Implementations are frozen dataclasses; their fields are settings.

    A scorer that sends requests to models also has `wanted_models`; see `eval.judging.UsesJudges`.

    Example:

        @dataclass(frozen=True)
        class Brevity:
            words: int = 200
            dimensions = (Dimension("brevity", "short answers"),)

            async def score(self, context: ScoringContext) -> tuple[Score, ...]:
                count = len(context.transcript.answer.split())
                value = float(count <= self.words)
                return (Score(dimension="brevity", value=value, evidence=f"{count} words"),)
    """

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """All dimensions that it reports, in the order of a report."""
        ...

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Score one attempt. Returns one score per dimension."""
        ...


@runtime_checkable
class NeedsCheck(Protocol):
    """A scorer whose settings are checked when a study is created."""

    def check(self) -> None:
        """Raise ValueError, with the reason, if it cannot score with its settings."""
        ...

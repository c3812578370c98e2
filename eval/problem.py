"""A problem: what is asked, what counts as an answer, and how it can be reached."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from ansatz.agents import Question


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Given(_Frozen):
    """One stated quantity. Values are numbers with a unit ("-" for none) or words such as a gas."""

    name: str
    value: float | str
    unit: str
    description: str = ""


class Tolerance(_Frozen):
    """Accepted deviation of a value: relative, absolute (in the target's unit), or either."""

    relative: float
    absolute: float = 0.0


class _Asked(_Frozen):
    """What every kind of target has: its symbol, its share of the score, and what it is."""

    name: str
    weight: float = Field(1.0, gt=0)
    description: str = ""


class NumberTarget(_Asked):
    """A quantity with a unit. `value` is None where the key is not known (it is then unscored).

    With `difference` it is the difference of two temperatures, so that 34.8 °C is 34.8 K. `tolerance` is for
    benchmarks with a pass/fail rule; banded scoring does not use it.

    Example: `NumberTarget(name="P", weight=1, unit="kW", value=1.51)`.
    """

    kind: Literal["number"] = "number"
    unit: str
    value: float | None = None
    difference: bool = False
    tolerance: Tolerance | None = None


class LabelTarget(_Asked):
    """A word from a closed set, such as a phase; `accepted` lists every spelling that counts.

    Example: `LabelTarget(name="phase", weight=1, value="liquid", accepted=("subcooled liquid",))`.
    """

    kind: Literal["label"] = "label"
    value: str
    accepted: tuple[str, ...] = ()


class ChoiceTarget(_Asked):
    """One of lettered options.

    Example: `ChoiceTarget(name="regime", weight=1, value="A", options={"A": "laminar", "B": "turbulent"})`.
    """

    kind: Literal["choice"] = "choice"
    value: str
    options: dict[str, str]


class MessageTarget(_Asked):
    """A free-text answer, compared by a judge."""

    kind: Literal["message"] = "message"
    value: str


class SymbolicTarget(_Asked):
    """An expression in the named symbols, compared for equivalence; angles are in radians.

    `value` is in the grammar of `knowledge_base.equation`. `domains` are ranges of symbols in which it
    is defined; a symbol without one is a positive number.
    """

    kind: Literal["symbolic"] = "symbolic"
    value: str
    symbols: tuple[str, ...]
    domains: dict[str, tuple[float, float]] = {}


class CallableTarget(_Asked):
    """A Python function `name`, compared with the program `value` that defines it, on test inputs.

    `parameters` are in the order of the signature asked for. Each of `inputs` has a value for every one, as
    the sandbox's tagged JSON (plain numbers stand for themselves). Where inputs were `drawn` rather than
    chosen, those at which the reference has no finite value are left out.
    """

    kind: Literal["callable"] = "callable"
    value: str
    parameters: tuple[str, ...]
    inputs: tuple[dict[str, Any], ...]
    drawn: bool = False
    tolerance: Tolerance


Target = Annotated[
    NumberTarget | LabelTarget | ChoiceTarget | MessageTarget | SymbolicTarget | CallableTarget,
    Field(discriminator="kind"),
]


_LABELS = {
    "en": ("Given: ", "Find: ", "Approach: ", "Assumptions: "),
    "zh": ("已知：", "求解：", "方法：", "假设："),
}


class Formulation(_Frozen):
    """How to set the problem up, without solving it: the only part an arm may disclose."""

    given: str
    find: str
    approach: str
    assumptions: str
    language: Literal["en", "zh"] = "en"

    def text(self) -> str:
        """Four labelled lines, as a solver may be shown them."""
        parts = (self.given, self.find, self.approach, self.assumptions)
        labels = _LABELS[self.language]
        return "\n".join(f"{label}{part}" for label, part in zip(labels, parts, strict=True))


class SolutionStep(_Frozen):
    """One evaluated equation of a reference solution; `value` is in `unit`.

    Where a solution is written out for learners, `title` says what the step does, `reasoning` why,
    `general_formula` the relation in its own symbols, and `substitution` the same with numbers and units.
    """

    equation: str
    symbol: str
    expression: str
    value: float
    unit: str
    title: str = ""
    reasoning: str = ""
    general_formula: str = ""
    substitution: str = ""


class DerivationStep(_Frozen):
    """One line of a derivation: a symbol, the expression it equals, and how that follows."""

    symbol: str
    expression: str
    reason: str


class Bound(_Frozen):
    """Physical limits of a target in its unit, with the reason; None is unbounded."""

    target: str
    low: float | None = None
    high: float | None = None
    reason: str = ""


class ReferenceSolution(_Frozen):
    """Equation ids are those of the knowledge base; `trap_equations` are right elsewhere, wrong here.

    `text` is a worked solution in words, where an author wrote one instead of steps or beside them.
    `key_points` are what a full answer in words says, and `misconceptions` what choosing a wrong option
    shows, by its letter.
    """

    formulation: Formulation | None = None
    steps: tuple[SolutionStep, ...] = ()
    derivation: tuple[DerivationStep, ...] = ()
    gold_equations: tuple[str, ...] = ()
    trap_equations: tuple[str, ...] = ()
    trap: str = ""
    bounds: tuple[Bound, ...] = ()
    text: str = ""
    final_answer: str = ""
    key_points: tuple[str, ...] = ()
    misconceptions: dict[str, str] = {}


class Entity(_Frozen):
    """A name, place or object of the story that plays no part in the physics, and so may be exchanged.

    `kind` is what it is, such as car or lake; `quantities` names the givens and results that limit what
    may stand in its place, such as {"mass": "m", "speed": "v_0"}.
    """

    text: str
    kind: str
    quantities: dict[str, str] = {}


class Problem(_Frozen):
    """One item. `family` names the template it was made from: items of a family are not independent.

    `tags` carry what a study filters and a report breaks down by: level, domains, tier, category, ...
    `follows` are the ids of the questions that come before it in its set, in the order they are asked.
    `entities` are what a retelling of the story may exchange, by their place in it: person, place, object.

    Example: `problems([("Boiling point of water at 1 atm?", "373.1 K")])[0].targets`.
    """

    id: str
    family: str
    benchmark: str
    question: str
    context: str = ""
    givens: tuple[Given, ...] = ()
    targets: tuple[Target, ...] = Field(min_length=1)
    reference: ReferenceSolution = ReferenceSolution()
    follows: tuple[str, ...] = ()
    entities: dict[str, Entity] = {}
    tags: dict[str, str | tuple[str, ...]] = {}

    @property
    def answers_are_free_in_form(self) -> bool:
        """Whether the question holds no blank `symbol = ___` that says how its answer is to be written."""
        return "___" not in self.question

    def ask(self, discloses: Collection[str] = ()) -> Question:
        """The question as an arm may see it. The only field that can be disclosed is `formulation`."""
        from ansatz.agents import Asked, Question  # bring LangGraph, which who reads results does without

        unknown = set(discloses) - {"formulation"}
        if unknown:
            raise ValueError(f"a problem never discloses {', '.join(sorted(unknown))}; only formulation")
        text = f"{self.context}\n\n{self.question}" if self.context else self.question
        formulation = self.reference.formulation
        hints = {"formulation": formulation.text()} if formulation and "formulation" in discloses else {}
        asked = (Asked(each.name, not isinstance(each, NumberTarget)) for each in self.targets)
        return Question(text, hints, tuple(asked))

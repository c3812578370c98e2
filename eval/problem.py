"""A problem: its question, its targets with the right values, and its reference solution."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    from ansatz.agents import Question


OWN = "file"
"""The benchmark of problems that name none: those of users."""


class Frozen(BaseModel):
    """Base of the records of a problem: immutable, finite numbers, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def describe_field(what: str, example: Any = None) -> Any:
    """Describe a field for the reference. A field without an example has sub-fields with examples."""
    return Field(description=what, examples=None if example is None else [example])


class Given(Frozen):
    """A quantity that the question states: a number with a unit, or a word such as the name of a gas."""

    name: Annotated[str, describe_field("its symbol", "rho")]
    value: Annotated[float | str, describe_field("a number or a word", 1.2)]
    unit: Annotated[str, describe_field("the unit of the number; `-` for none", "kg/m^3")]
    description: Annotated[str, describe_field("what it is", "density")] = ""


_ROUNDING = 1 + 1e-9  # a deviation of exactly the tolerance is within it


class Tolerance(Frozen):
    """Accepted deviation of a value. A value within either limit is accepted.

    A number alone is `relative`: 0.05 or "5 %".
    """

    relative: Annotated[float, describe_field("share of the value", 0.02)]
    absolute: Annotated[float, describe_field("amount in the target's unit", 0.5)] = 0.0

    @model_validator(mode="before")
    @classmethod
    def _read_share(cls, given: Any) -> Any:
        """Accept 0.05 and "5 %" as a relative tolerance."""
        if isinstance(given, str):
            text = given.strip()
            try:
                given = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
            except ValueError:
                raise ValueError(
                    f"must be a share such as 0.05 or '5 %', or an object, not {given!r}"
                ) from None
        if isinstance(given, bool) or not isinstance(given, int | float):
            return given
        if not 0 <= given < 1:
            raise ValueError(f"must be a share from 0 to 1, such as 0.05 for 5 %, not {given:g}")
        return {"relative": given}

    def accepts(self, error: float, value: float) -> bool:
        """Whether a relative `error` of `value` is within the tolerance.

        If `value` is zero, `error` is in the target's unit, as `compare_quantities` returns it.
        """
        size = abs(value) or 1.0
        return error * size <= max(self.relative * size, self.absolute) * _ROUNDING

    def text(self, unit: str) -> str:
        """Format the tolerance, such as "5 %" or "2 % or 0.5 K"."""
        share = f"{100 * self.relative:.6g} %"
        amount = f"{self.absolute:.6g} {unit}".removesuffix(" -")
        return " or ".join(
            [share] * bool(self.relative or not self.absolute) + [amount] * bool(self.absolute)
        )


class _TargetBase(Frozen):
    """The fields that all kinds of target share."""

    name: Annotated[
        str,
        describe_field("its symbol; by default, for a single target, that of the blank `q = ___`", "q"),
    ]
    weight: Annotated[float, describe_field("its share of the score", 2)] = Field(1.0, gt=0)
    description: Annotated[str, describe_field("what it is", "dynamic pressure")] = ""


class NumberTarget(_TargetBase):
    """A quantity with a unit. Without a `value` it is not scored.

    Example: `NumberTarget(name="P", unit="kW", value=1.51, tolerance={"relative": 0.05})`.
    """

    kind: Literal["number"] = "number"
    unit: Annotated[str, describe_field("the unit of the value; `-` for none", "Pa")]
    value: Annotated[float | None, describe_field("the right value", 6000)] = None
    difference: Annotated[
        bool, describe_field("whether it is a difference of two temperatures, so 34.8 °C is 34.8 K", True)
    ] = False
    tolerance: Annotated[
        Tolerance | None,
        describe_field("the deviation at which an answer is still right, for every scorer; by default 1 %"),
    ] = None
    published_tolerance: Annotated[
        Tolerance | None,
        describe_field("the tolerance of the benchmark's publisher; only the benchmark's scorer uses it"),
    ] = None


class LabelTarget(_TargetBase):
    """A word from a closed set, such as a phase.

    Example: `LabelTarget(name="phase", weight=1, value="liquid", accepted=("subcooled liquid",))`.
    """

    kind: Literal["label"] = "label"
    value: Annotated[str, describe_field("the right word", "superheated")]
    accepted: Annotated[tuple[str, ...], describe_field("further spellings", ["superheated vapor"])] = ()


class ChoiceTarget(_TargetBase):
    """One of several options.

    Example: `ChoiceTarget(name="regime", weight=1, value="A", options={"A": "laminar", "B": "turbulent"})`.
    """

    kind: Literal["choice"] = "choice"
    value: Annotated[str, describe_field("the letter of the right option", "B")]
    options: Annotated[
        dict[str, str], describe_field("text of each option by letter", {"A": "rises", "B": "falls"})
    ]


class MessageTarget(_TargetBase):
    """A text, which a judge compares with the right answer."""

    kind: Literal["message"] = "message"
    value: Annotated[str, describe_field("a right answer in words", "The pressure rises along the wall.")]


class SymbolicTarget(_TargetBase):
    """An expression in the given symbols, compared for equivalence. Angles are in radians."""

    kind: Literal["symbolic"] = "symbolic"
    value: Annotated[
        str, describe_field("a right expression, in the grammar of the equation base", "q*S*C_D")
    ]
    symbols: Annotated[tuple[str, ...], describe_field("the symbols that it may contain", ["q", "S", "C_D"])]
    domains: Annotated[
        dict[str, tuple[float, float]],
        describe_field(
            "ranges of symbols in which the expression is defined; by default positive", {"C_D": [0.1, 2]}
        ),
    ] = Field(default_factory=dict)


class CallableTarget(_TargetBase):
    """A Python function `name`, compared with a reference program on test inputs."""

    kind: Literal["callable"] = "callable"
    value: Annotated[str, describe_field("the reference program", "def q(rho, V):\n    return rho*V**2/2")]
    parameters: Annotated[
        tuple[str, ...], describe_field("the parameters, in the order of the signature", ["rho", "V"])
    ]
    inputs: Annotated[
        tuple[dict[str, Any], ...],
        describe_field(
            "arguments by parameter, as numbers or the sandbox's tagged JSON", [{"rho": 1.2, "V": 9}]
        ),
    ]
    drawn: Annotated[
        bool,
        describe_field(
            "whether inputs were drawn at random; those without a finite reference value are skipped", True
        ),
    ] = False
    tolerance: Annotated[Tolerance, describe_field("the accepted difference of results")]


Target = Annotated[
    NumberTarget | LabelTarget | ChoiceTarget | MessageTarget | SymbolicTarget | CallableTarget,
    Field(discriminator="kind"),
]


_LABELS = {
    "en": ("Given: ", "Find: ", "Approach: ", "Assumptions: "),
    "zh": ("已知：", "求解：", "方法：", "假设："),
}


class Formulation(Frozen):
    """How to set up the problem, without solving it. An arm may show it to the model."""

    given: Annotated[str, describe_field("the known quantities", "density and speed")]
    find: Annotated[str, describe_field("the wanted quantities", "dynamic pressure")]
    approach: Annotated[str, describe_field("the method", "definition")]
    assumptions: Annotated[str, describe_field("the assumptions", "incompressible")]
    language: Annotated[Literal["en", "zh"], describe_field("language of the labels", "zh")] = "en"

    def text(self) -> str:
        """Format the formulation as four labelled lines."""
        parts = (self.given, self.find, self.approach, self.assumptions)
        labels = _LABELS[self.language]
        return "\n".join(f"{label}{part}" for label, part in zip(labels, parts, strict=True))


class SolutionStep(Frozen):
    """One evaluated equation of a reference solution. The last four fields explain it to readers."""

    equation: Annotated[
        str, describe_field("its id in the equation base, or empty", "newtonian.pressure.dynamic")
    ]
    symbol: Annotated[str, describe_field("the symbol of the result", "q")]
    expression: Annotated[str, describe_field("the equation, in symbols", "q = 0.5*rho*V**2")]
    value: Annotated[float, describe_field("the result", 6000)]
    unit: Annotated[str, describe_field("the unit of the result", "Pa")]
    title: Annotated[str, describe_field("what the step computes", "Dynamic pressure")] = ""
    reasoning: Annotated[
        str, describe_field("why the equation applies", "The flow is slow, so density is constant.")
    ] = ""
    general_formula: Annotated[str, describe_field("the equation in symbols", "q = rho V^2 / 2")] = ""
    substitution: Annotated[
        str, describe_field("the equation with numbers and units", "q = 1.2 kg/m^3 * (100 m/s)^2 / 2")
    ] = ""


class DerivationStep(Frozen):
    """One line of a derivation."""

    symbol: Annotated[str, describe_field("the symbol that the line defines", "D")]
    expression: Annotated[str, describe_field("the expression that it equals", "q*S*C_D")]
    reason: Annotated[str, describe_field("why they are equal", "definition of the drag coefficient")]


class TargetBound(Frozen):
    """Physical limits of a target."""

    target: Annotated[str, describe_field("the name of a target", "q")]
    low: Annotated[float | None, describe_field("lower limit in the target's unit, if any", 0)] = None
    high: Annotated[float | None, describe_field("upper limit in the target's unit, if any", 1e7)] = None
    reason: Annotated[str, describe_field("the reason for the limits", "a square is positive")] = ""


class Trap(Frozen):
    """A tempting mistake and the values that it gives."""

    name: Annotated[str, describe_field("a short name", "incompressible")]
    reason: Annotated[str, describe_field("why it is wrong here", "the Mach number is 2")]
    values: Annotated[
        dict[str, float], describe_field("the wrong value of each target, in its unit", {"q": 5100})
    ]


class Solution(Frozen):
    """A reference solution. The model never sees it, except `formulation` if an arm discloses that."""

    formulation: Annotated[
        Formulation | None, describe_field("how to set up the problem; an arm may disclose it")
    ] = None
    steps: Annotated[tuple[SolutionStep, ...], describe_field("evaluated equations, in order")] = ()
    derivation: Annotated[tuple[DerivationStep, ...], describe_field("lines of a derivation in symbols")] = ()
    trap: Annotated[
        str, describe_field("why the tempting equation is wrong", "Bernoulli holds below Mach 0.3")
    ] = ""
    traps: Annotated[
        tuple[Trap, ...], describe_field("tempting mistakes with the values that they give")
    ] = ()
    text: Annotated[
        str, describe_field("a worked solution in words", "The pressure follows from the definition.")
    ] = ""
    final_answer: Annotated[str, describe_field("the answer in words", "The dynamic pressure is 6 kPa.")] = ""
    key_points: Annotated[
        tuple[str, ...], describe_field("the points of a complete answer in words", ["pressure rises"])
    ] = ()
    misconceptions: Annotated[
        dict[str, str],
        describe_field("the misconception behind each wrong option", {"A": "drag is lift"}),
    ] = Field(default_factory=dict)


class ReferenceSolution(Solution):
    """A reference solution with the ids of its equations in the knowledge base."""

    gold_equations: tuple[str, ...] = ()
    """Equations that are right for this problem."""
    trap_equations: tuple[str, ...] = ()
    """Equations that are right elsewhere and wrong for this problem."""
    bounds: tuple[TargetBound, ...] = ()
    """Physical limits of the targets."""


class Entity(Frozen):
    """A name, place or object of the story that has no physical role, so a variant may replace it."""

    text: Annotated[str, describe_field("its text in the question", "motorcycle")]
    kind: Annotated[str, describe_field("its kind, such as car or lake", "motorcycle")]
    quantities: Annotated[
        dict[str, str],
        describe_field("givens and results that a replacement must be compatible with", {"speed": "v"}),
    ] = Field(default_factory=dict)


class Problem(Frozen):
    """A question with its targets and its reference solution.

    Example: `problems([("Boiling point of water at 1 atm?", "373.1 K")])[0].targets`.
    """

    id: str
    """Unique within a study."""
    family: str
    """The template or source of the problem. Problems of a family are not independent."""
    benchmark: str
    """The name of the problem set in reports."""
    question: str
    """The question that a model sees."""
    context: str = ""
    """A text before the question, which several problems may share."""
    givens: tuple[Given, ...] = ()
    """The quantities that the question states."""
    targets: tuple[Target, ...] = Field(min_length=1)
    """The quantities to find, with their right values."""
    reference: ReferenceSolution = ReferenceSolution()
    """The reference solution."""
    follows: tuple[str, ...] = ()
    """Ids of the earlier questions of its set, in order."""
    entities: dict[str, Entity] = Field(default_factory=dict)
    """Names in the story that a variant may replace, by role: person, place, object."""
    tags: dict[str, str | tuple[str, ...]] = Field(default_factory=dict)
    """What a study filters and a report breaks down by: level, domains, tier, category and others."""

    @property
    def has_blanks(self) -> bool:
        """Whether the question fixes the form of its answer by blanks such as `symbol = ___ unit`."""
        return "___" in self.question

    def ask(self, discloses: Collection[str] = ()) -> Question:
        """Return the question as an arm may see it. Only `formulation` can be disclosed."""
        from ansatz.agents import AnswerField, Question  # imports LangGraph, which results do not need

        unknown = set(discloses) - {"formulation"}
        if unknown:
            raise ValueError(f"a problem can disclose formulation only, not {', '.join(sorted(unknown))}")
        text = f"{self.context}\n\n{self.question}" if self.context else self.question
        formulation = self.reference.formulation
        hints = {"formulation": formulation.text()} if formulation and "formulation" in discloses else {}
        asked = (
            AnswerField(each.name, difference=each.difference)
            if isinstance(each, NumberTarget)
            else AnswerField(each.name, is_text=True)
            for each in self.targets
        )
        return Question(text, hints, tuple(asked))

"""A problem: what is asked, what counts as an answer, and how it can be reached."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from ansatz.agents import Question


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def describe_field(what: str, example: Any = None) -> Any:
    """What the reference says of a field; one without an example is made of fields that have some."""
    return Field(description=what, examples=None if example is None else [example])


class Given(Frozen):
    """One stated quantity. Values are numbers with a unit ("-" for none) or words such as a gas."""

    name: Annotated[str, describe_field("its symbol", "rho")]
    value: Annotated[float | str, describe_field("a number or a word", 1.2)]
    unit: Annotated[str, describe_field("of the number; `-` for none", "kg/m^3")]
    description: Annotated[str, describe_field("what it is", "density")] = ""


_ROUNDING = 1 + 1e-9  # a deviation of exactly the tolerance is within it


class Tolerance(Frozen):
    """Accepted deviation of a value: a share of it, or an amount in the target's unit. Either is enough."""

    relative: Annotated[float, describe_field("share of the value", 0.02)]
    absolute: Annotated[float, describe_field("in the target's unit", 0.5)] = 0.0

    def accepts(self, error: float, value: float) -> bool:
        """Whether a relative `error` of `value` is within the tolerance.

        Where `value` is zero, the error is in the target's unit, as `scales.compare` returns it.
        """
        size = abs(value) or 1.0
        return error * size <= max(self.relative * size, self.absolute) * _ROUNDING

    def text(self, unit: str) -> str:
        """The tolerance in words, such as "5 %" or "2 % or 0.5 K"."""
        share = f"{100 * self.relative:.6g} %"
        amount = f"{self.absolute:.6g} {unit}".removesuffix(" -")
        return " or ".join(
            [share] * bool(self.relative or not self.absolute) + [amount] * bool(self.absolute)
        )


class _TargetBase(Frozen):
    """What every kind of target has: its symbol, its share of the score, and what it is."""

    name: Annotated[
        str,
        describe_field("its symbol; a lone target may leave it to the blank `q = ___`", "q"),
    ]
    weight: Annotated[float, describe_field("its share of the score", 2)] = Field(1.0, gt=0)
    description: Annotated[str, describe_field("what it is", "dynamic pressure")] = ""


class NumberTarget(_TargetBase):
    """A quantity with a unit. `value` is None where the key is not known (it is then unscored).

    With `difference` it is the difference of two temperatures, so that 34.8 °C is 34.8 K. A value within
    `tolerance` is right for every scorer; without one, `outcome` takes 1 %. `published_tolerance` is the rule
    of a benchmark's publisher; only the benchmark's own scorer uses it.

    Example: `NumberTarget(name="P", unit="kW", value=1.51, tolerance={"relative": 0.05})`.
    """

    kind: Literal["number"] = "number"
    unit: Annotated[str, describe_field("of the value; `-` for none", "Pa")]
    value: Annotated[float | None, describe_field("the right value", 6000)] = None
    difference: Annotated[
        bool, describe_field("a difference of two temperatures: 34.8 °C is 34.8 K", True)
    ] = False
    tolerance: Annotated[
        Tolerance | None, describe_field("how far a right answer may deviate; 1 % without")
    ] = None
    published_tolerance: Annotated[
        Tolerance | None, describe_field("the rule of a benchmark's publisher, for its own scorer only")
    ] = None


class LabelTarget(_TargetBase):
    """A word from a closed set, such as a phase; `accepted` lists every spelling that counts.

    Example: `LabelTarget(name="phase", weight=1, value="liquid", accepted=("subcooled liquid",))`.
    """

    kind: Literal["label"] = "label"
    value: Annotated[str, describe_field("the right word", "superheated")]
    accepted: Annotated[tuple[str, ...], describe_field("further spellings", ["superheated vapor"])] = ()


class ChoiceTarget(_TargetBase):
    """One of make_choice options.

    Example: `ChoiceTarget(name="regime", weight=1, value="A", options={"A": "laminar", "B": "turbulent"})`.
    """

    kind: Literal["choice"] = "choice"
    value: Annotated[str, describe_field("the letter of the right option", "B")]
    options: Annotated[dict[str, str], describe_field("letter and text", {"A": "rises", "B": "falls"})]


class MessageTarget(_TargetBase):
    """A free-text answer, compared by a judge."""

    kind: Literal["message"] = "message"
    value: Annotated[str, describe_field("a right answer in words", "The pressure rises along the wall.")]


class SymbolicTarget(_TargetBase):
    """An expression in the named symbols, compared for equivalence; angles are in radians.

    `value` is in the grammar of `knowledge_base.equation`. `domains` are ranges of symbols in which it
    is defined; a symbol without one is a positive number.
    """

    kind: Literal["symbolic"] = "symbolic"
    value: Annotated[str, describe_field("a right expression", "q*S*C_D")]
    symbols: Annotated[tuple[str, ...], describe_field("those it may hold", ["q", "S", "C_D"])]
    domains: Annotated[
        dict[str, tuple[float, float]], describe_field("ranges of symbols", {"C_D": [0.1, 2]})
    ] = {}


class CallableTarget(_TargetBase):
    """A Python function `name`, compared with the program `value` that defines it, on test inputs.

    `parameters` are in the order of the signature asked for. Each of `inputs` has a value for every one, as
    the sandbox's tagged JSON (plain numbers stand for themselves). Where inputs were `drawn` rather than
    chosen, those at which the reference has no finite value are left out.
    """

    kind: Literal["callable"] = "callable"
    value: Annotated[str, describe_field("the program", "def q(rho, V):\n    return rho*V**2/2")]
    parameters: Annotated[tuple[str, ...], describe_field("in the order asked for", ["rho", "V"])]
    inputs: Annotated[
        tuple[dict[str, Any], ...], describe_field("where they are compared", [{"rho": 1.2, "V": 9}])
    ]
    drawn: Annotated[bool, describe_field("whether inputs were drawn at random", True)] = False
    tolerance: Annotated[Tolerance, describe_field("how far results may be apart")]


Target = Annotated[
    NumberTarget | LabelTarget | ChoiceTarget | MessageTarget | SymbolicTarget | CallableTarget,
    Field(discriminator="kind"),
]


_LABELS = {
    "en": ("Given: ", "Find: ", "Approach: ", "Assumptions: "),
    "zh": ("已知：", "求解：", "方法：", "假设："),
}


class Formulation(Frozen):
    """How to set the problem up, without solving it: the only part an arm may disclose."""

    given: Annotated[str, describe_field("what is known", "density and speed")]
    find: Annotated[str, describe_field("what is asked", "dynamic pressure")]
    approach: Annotated[str, describe_field("how it is found", "definition")]
    assumptions: Annotated[str, describe_field("what is taken to hold", "incompressible")]
    language: Annotated[Literal["en", "zh"], describe_field("of its labels", "zh")] = "en"

    def text(self) -> str:
        """Four labelled lines, as a solver may be shown them."""
        parts = (self.given, self.find, self.approach, self.assumptions)
        labels = _LABELS[self.language]
        return "\n".join(f"{label}{part}" for label, part in zip(labels, parts, strict=True))


class SolutionStep(Frozen):
    """One evaluated equation of a reference solution; `value` is in `unit`.

    Where a solution is written out for learners, `title` says what the step does, `reasoning` why,
    `general_formula` the relation in its own symbols, and `substitution` the same with numbers and units.
    """

    equation: Annotated[
        str, describe_field("its id in the equation base, or empty", "newtonian.pressure.dynamic")
    ]
    symbol: Annotated[str, describe_field("what it yields", "q")]
    expression: Annotated[str, describe_field("the equation, in symbols", "q = 0.5*rho*V**2")]
    value: Annotated[float, describe_field("what it comes to", 6000)]
    unit: Annotated[str, describe_field("of the value", "Pa")]
    title: Annotated[str, describe_field("what the step does", "Dynamic pressure")] = ""
    reasoning: Annotated[str, describe_field("why", "The flow is slow, so density is constant.")] = ""
    general_formula: Annotated[str, describe_field("the relation in its own symbols", "q = rho V^2 / 2")] = ""
    substitution: Annotated[
        str, describe_field("the same with numbers and units", "q = 1.2 kg/m^3 * (100 m/s)^2 / 2")
    ] = ""


class DerivationStep(Frozen):
    """One line of a derivation: a symbol, the expression it equals, and how that follows."""

    symbol: Annotated[str, describe_field("what it defines", "D")]
    expression: Annotated[str, describe_field("what it equals", "q*S*C_D")]
    reason: Annotated[str, describe_field("how that follows", "definition of the drag coefficient")]


class TargetBound(Frozen):
    """Physical limits of a target in its unit, with the reason; None is unbounded."""

    target: Annotated[str, describe_field("the name of a target", "q")]
    low: Annotated[float | None, describe_field("in the target's unit", 0)] = None
    high: Annotated[float | None, describe_field("in the target's unit", 1e7)] = None
    reason: Annotated[str, describe_field("why", "a square is positive")] = ""


class Solution(Frozen):
    """How the answer is reached. All but `formulation` is for verifier, judges and readers alone."""

    formulation: Annotated[
        Formulation | None, describe_field("how to set it up; all that an arm may disclose")
    ] = None
    steps: Annotated[tuple[SolutionStep, ...], describe_field("evaluated equations, in order")] = ()
    derivation: Annotated[tuple[DerivationStep, ...], describe_field("lines of a derivation in symbols")] = ()
    trap: Annotated[
        str, describe_field("what goes wrong with the tempting equation", "Bernoulli holds below Mach 0.3")
    ] = ""
    text: Annotated[
        str, describe_field("a worked solution in words", "The pressure follows from the definition.")
    ] = ""
    final_answer: Annotated[str, describe_field("the answer in words", "The dynamic pressure is 6 kPa.")] = ""
    key_points: Annotated[
        tuple[str, ...], describe_field("what a full answer in words says", ["pressure rises"])
    ] = ()
    misconceptions: Annotated[
        dict[str, str], describe_field("what choosing a wrong option shows", {"A": "drag is lift"})
    ] = {}


class ReferenceSolution(Solution):
    """How the answer is reached, and by what: equation ids are those of the knowledge base.

    `trap_equations` are right elsewhere and wrong here.
    """

    gold_equations: tuple[str, ...] = ()
    trap_equations: tuple[str, ...] = ()
    bounds: tuple[TargetBound, ...] = ()


class Entity(Frozen):
    """A name, place or object of the story that plays no part in the physics, and so may be exchanged.

    `kind` is what it is, such as car or lake; `quantities` names the givens and results that limit what
    may stand in its place, such as {"mass": "m", "speed": "v_0"}.
    """

    text: Annotated[str, describe_field("as the question has it", "motorcycle")]
    kind: Annotated[str, describe_field("what it is", "motorcycle")]
    quantities: Annotated[
        dict[str, str], describe_field("givens that limit what may stand in its place", {"speed": "v"})
    ] = {}


class Problem(Frozen):
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
    def free_symbols(self) -> list[str] | None:
        """The symbols that the question states; None where a blank `symbol = ___` says how to answer it."""
        return None if "___" in self.question else [given.name for given in self.givens]

    def ask(self, discloses: Collection[str] = ()) -> Question:
        """The question as an arm may see it. The only field that can be disclosed is `formulation`."""
        from ansatz.agents import Asked, Question  # bring LangGraph, which who reads results does without

        unknown = set(discloses) - {"formulation"}
        if unknown:
            raise ValueError(f"a problem never discloses {', '.join(sorted(unknown))}; only formulation")
        text = f"{self.context}\n\n{self.question}" if self.context else self.question
        formulation = self.reference.formulation
        hints = {"formulation": formulation.text()} if formulation and "formulation" in discloses else {}
        asked = (
            Asked(each.name, difference=each.difference)
            if isinstance(each, NumberTarget)
            else Asked(each.name, in_words=True)
            for each in self.targets
        )
        return Question(text, hints, tuple(asked))

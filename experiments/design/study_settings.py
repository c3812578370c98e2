"""The settings of a study, defined once for scripts, study files and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypedDict, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from ansatz.agents import AnswerForm, Limits
from ansatz.agents.models.traffic import Rates
from ansatz.errors import AnsatzError, StudyError
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel
from ansatz.eval.validation import find_faulty_fields
from ansatz.experiments.design.paraphraser import Paraphraser
from ansatz.settings import Count, NamedPath, PositiveNumber, settings

Form = TypeVar("Form", bound=BaseModel)
RENAMED = {"answer": "answer_form", "reading": "answer_reader", "stop_after": "max_identical_failures"}
"""Renamed settings: the earlier name and the present one, which the refusal of an earlier name states."""
REMOVED = {"prior": "delete the line: intervals of few problems are those of the cluster bootstrap"}
"""Removed settings, with advice for each."""


@settings()
class Futility:
    """When an arm is given up.

    Example: `Futility(difference=0.05)`.
    """

    difference: Annotated[float, Field(gt=0, lt=1, strict=True)]
    """The smallest improvement worth finding, as a share of the scale: 0.05 is 5 points of 100. An arm is
    given up as soon as its results exclude a difference of this size on every primary dimension. An arm that
    is this good is given up in at most 20 % of studies."""


def _refuse_share(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(
            f"{value:g} is the earlier form; write futility: {{difference: 0.05}}, the smallest improvement "
            "worth finding, as a share of the scale"
        )
    return value


@settings()
class Stopping:
    """When arms are no longer asked. Each arm is decided by itself, at interim analyses.

    Example: `Study(..., stop=Stopping(futility=Futility(0.05), only="better"))`.
    """

    success: Annotated[float, Field(gt=0, lt=0.5, strict=True)] = 0.05
    """The share of studies without any effect that may find one, over all arms and interim analyses. An arm
    is found as soon as its difference on a primary dimension has a star at the level of the analysis. It then
    stops. Early analyses are stricter (a boundary of O'Brien and Fleming's kind)."""
    futility: Annotated[Futility | None, BeforeValidator(_refuse_share)] = None
    """When an arm is given up: `{difference: 0.05}`. Without it, no arm is given up."""
    looks: Annotated[int, Field(ge=2, le=10, strict=True)] = 5
    """How many interim analyses there are, each after an equal share of the families."""
    only: Literal["better"] | None = None
    """`better`: only improvements count. Arms that do harm are given up early, but the study cannot prove
    harm."""


@settings()
class Repeats:
    """How often a problem is asked, by the baseline's answers to it.

    Example: `Study(..., repeats=Repeats(least=1, most=3))`.
    """

    least: Count = 1
    """The repeats of problems on which the baseline is sure: two further answers of it have full scores."""
    most: Annotated[Count, Field(le=10_000)] = 3
    """The repeats of the other problems."""
    where: Literal["baseline_unsure"] = "baseline_unsure"
    """Which problems have more repeats. The two answers that decide it are not counted in any difference."""

    def __post_init__(self) -> None:
        if self.least >= self.most:
            raise ValueError(f"`least` must be below `most`, not {self.least} and {self.most}")


def _read_repeats(value: Any, read_number: ValidatorFunctionWrapHandler) -> Any:
    if isinstance(value, Repeats):
        return value
    if not isinstance(value, Mapping):
        return read_number(value)
    try:
        return Repeats(**value)
    except (AnsatzError, TypeError) as failure:
        raise ValueError(str(failure)) from None


def _check_folder_name(name: str) -> str:
    if not name.strip() or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
        raise ValueError(f"must be usable as the name of a folder, not {name!r}")
    return name


def _unwrap(key: str) -> BeforeValidator:
    """Accept `{dollars: 5}` for 5."""
    return BeforeValidator(
        lambda value: value[key] if isinstance(value, dict) and value.keys() == {key} else value
    )


def _wrap(key: str) -> PlainSerializer:
    """Store 5 as `{dollars: 5}`, so that `-o budget.dollars=5` can change it on resume."""
    return PlainSerializer(lambda value: None if value is None else {key: value})


class StudySettings(BaseModel):
    """The settings that scripts and study files share, with the same checks and messages."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    renamed: ClassVar[Mapping[str, str]] = RENAMED
    removed: ClassVar[Mapping[str, str]] = REMOVED

    name: Annotated[str, AfterValidator(_check_folder_name)]
    """The name of the study, and of its run folder under `runs/`."""
    baseline: str = "baseline"
    """The arm that every other arm is compared with. Unless an arm has this name, it is the bare agent."""
    primary: Annotated[
        tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)
    ] = ()
    """The dimensions that are tested first. Other dimensions of an arm count only if one of these changed."""
    repeats: Annotated[
        Count,
        Field(le=10_000),
        WrapValidator(_read_repeats),
        PlainSerializer(
            lambda value: asdict(value) if isinstance(value, Repeats) else value, return_type=Any
        ),
    ] = 1
    """How often each model answers each problem under each arm. With `{least: 1, most: 3, where:
    baseline_unsure}`, more often if two further answers of the baseline do not both have a full score."""
    seed: Annotated[int, Field(ge=0, strict=True)] = 0
    """The seed of every random choice of the study, such as the order of its arms."""
    answer_form: AnswerForm = "block"
    """How every arm must state its answer: `block` (closing lines `symbol = value unit`), `json`, `tool` (a
    call of `submit_answer`) or `free`."""
    answer_reader: Annotated[JudgeModel | None, _unwrap("model"), _wrap("model")] = None
    """A model that reads the values in answers, in two passes, instead of the rules. In a file also
    `{model: …}`."""
    paraphraser: Annotated[Paraphraser | None, _unwrap("model"), _wrap("model")] = None
    """The model that rewrites questions for the probe `paraphrased`. In a file also `{model: …}`."""
    limits: Limits = Limits()
    """The bounds of one attempt."""
    stop: Stopping | None = None
    """When arms are no longer asked, so that the study needs fewer requests."""
    rates: dict[str, Rates] = {}
    """Requests and tokens per minute by provider, shared by its models. Without them, the limits in the
    provider's response headers apply."""
    max_identical_failures: Count = 10
    """After how many identical consecutive failures a run stops. Finished attempts are stored."""
    budget: Annotated[PositiveNumber | None, _unwrap("dollars"), _wrap("dollars")] = None
    """The most that the run may cost, in dollars. Only requests in flight can pass it. In a file also
    `{dollars: …}`."""
    cache: NamedPath | None = None
    """A folder of replies that studies share: a request that another study has made is not paid again."""
    executor: Annotated[Annotated[str, Field(min_length=1)] | None, _unwrap("dask"), _wrap("dask")] = None
    """The address of a Dask scheduler whose workers run the study. In a file also `{dask: …}`."""

    @property
    def adaptive_repeats(self) -> Repeats | None:
        """The rule for repeats that depend on the problem; None if all problems have the same number."""
        stated: Any = self.repeats
        return stated if isinstance(stated, Repeats) else None

    @property
    def most_repeats(self) -> int:
        """The largest number of repeats of a problem."""
        return self.adaptive_repeats.most if self.adaptive_repeats else self.repeats


class StudyOptions(TypedDict, total=False):
    """The settings as keywords of `Study`. None gives the default; `StudySettings` describes each setting."""

    baseline: str
    primary: Sequence[str] | str
    repeats: int | Repeats | Mapping[str, Any]
    seed: int
    answer_form: AnswerForm
    answer_reader: JudgeLike | None
    paraphraser: JudgeLike | None
    limits: Limits | Mapping[str, Any] | None
    stop: Stopping | Mapping[str, Any] | None
    rates: Mapping[str, Rates | Mapping[str, Any]] | None
    max_identical_failures: int
    budget: float | None
    cache: str | Path | None
    executor: str | None


def study_error(failure: ValidationError, kind: type) -> StudyError:
    """Return the first fault of settings of a `kind` as a StudyError."""
    fault = find_faulty_fields(failure, kind)[0]
    return StudyError(str(fault), fault.path)


def validate(form: type[Form], content: Mapping[str, Any]) -> Form:
    """Validate the settings of a script by a form of study files. Raises StudyError for the first fault."""
    try:
        return form.model_validate(content)
    except ValidationError as failure:
        raise study_error(failure, form) from None


def check_name(kind: str, name: object) -> None:
    """Check the name of a model or an arm, which is a heading in tables. Raises StudyError."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise StudyError(f"{kind}: a name must be text in one line, not {name!r}", (kind,))

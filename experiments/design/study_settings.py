"""The settings of a study, defined once for scripts, study files and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypedDict

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from ansatz.agents import AnswerForm, Limits
from ansatz.agents.models.traffic import Rates
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel
from ansatz.settings import Count, NamedPath, PositiveNumber, settings

RENAMED = {"answer": "answer_form", "reading": "answer_reader", "stop_after": "max_identical_failures"}
"""Earlier names of settings and the present ones, which the refusal of an earlier name states."""
REMOVED = {"prior": "delete the line: intervals of few problems are those of the cluster bootstrap"}
"""Settings of earlier versions, with what to do about each."""


@settings()
class Stopping:
    """When a study may end before all its problems are asked.

    Example: `Study(..., stop=Stopping(futility=0.1, looks=4))`.
    """

    success: Annotated[float, Field(gt=0, lt=0.5, strict=True)] = 0.05
    """The share of studies without any effect that may find one, over all interim analyses. An arm succeeds
    where its difference on a primary dimension (or else the first headline one) exceeds a boundary of O'Brien
    and Fleming's kind."""
    futility: Annotated[float, Field(gt=0, lt=1, strict=True)] | None = None
    """An arm is futile if its chance to succeed in the end is lower, should its difference stay as it is. The
    study stops once every arm has succeeded or is futile. Without a value no arm is futile."""
    looks: Annotated[int, Field(ge=2, le=10, strict=True)] = 5
    """How many interim analyses there are, each after an equal share of the families."""


def _check_folder_name(name: str) -> str:
    if not name.strip() or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
        raise ValueError(f"must do as the name of a folder, not {name!r}")
    return name


def _unwrapped_from(key: str) -> BeforeValidator:
    """`{dollars: 5}` and 5 both mean 5."""
    return BeforeValidator(
        lambda value: value[key] if isinstance(value, dict) and value.keys() == {key} else value
    )


def _wrapped_in(key: str) -> PlainSerializer:
    """A run folder stores `{dollars: 5}`, so that `-o budget.dollars=5` can change it."""
    return PlainSerializer(lambda value: None if value is None else {key: value})


class StudySettings(BaseModel):
    """What scripts and study files set in the same way, and are refused in the same words."""

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
    """The dimensions that are tested first."""
    repeats: Annotated[Count, Field(le=10_000)] = 1
    """How often each model answers each problem under each arm."""
    seed: Annotated[int, Field(ge=0, strict=True)] = 0
    """The seed of every random choice of the study, such as the order of its arms."""
    answer_form: AnswerForm = "block"
    """How every arm must state its answer: `block` (closing lines `symbol = value unit`), `json`, `tool` (a
    call of `submit_answer`) or `free`."""
    answer_reader: Annotated[JudgeModel | None, _unwrapped_from("model"), _wrapped_in("model")] = None
    """A model that reads the values in answers, in two passes, instead of the rules. In a file also
    `{model: …}`."""
    limits: Limits = Limits()
    """The bounds of one attempt."""
    stop: Stopping | None = None
    """When the study may end before all its problems are asked."""
    rates: dict[str, Rates] = {}
    """Requests and tokens per minute by provider, shared by its models. Without them, the limits in the
    provider's response headers apply."""
    max_identical_failures: Count = 10
    """After how many identical consecutive failures a run stops. What is finished is saved."""
    budget: Annotated[PositiveNumber | None, _unwrapped_from("dollars"), _wrapped_in("dollars")] = None
    """The most dollars that the run may cost in all. In a file also `{dollars: …}`."""
    cache: NamedPath | None = None
    """A folder of replies that studies share: a request that another study has made costs nothing."""
    executor: Annotated[
        Annotated[str, Field(min_length=1)] | None, _unwrapped_from("dask"), _wrapped_in("dask")
    ] = None
    """The address of a Dask scheduler whose workers run the study. In a file also `{dask: …}`."""


class StudyOptions(TypedDict, total=False):
    """The keywords of `Study` that are settings, with the types that a script may give; None is the default.

    `StudySettings` describes each of them.
    """

    baseline: str
    primary: Sequence[str] | str
    repeats: int
    seed: int
    answer_form: AnswerForm
    answer_reader: JudgeLike | None
    limits: Limits | Mapping[str, Any] | None
    stop: Stopping | Mapping[str, Any] | None
    rates: Mapping[str, Rates | Mapping[str, Any]] | None
    max_identical_failures: int
    budget: float | None
    cache: str | Path | None
    executor: str | None

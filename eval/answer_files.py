"""Read imported answers from a file, and score them like the answers of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ansatz.agents import Transcript
from ansatz.agents.client import refuses
from ansatz.agents.transcript import ModelCall, Usage, list_tool_calls, read_text
from ansatz.errors import InfrastructureError, ModelError
from ansatz.eval.concurrency import map_concurrently
from ansatz.eval.imported_messages import Conversation
from ansatz.eval.outcome import Verdict, judge_answer
from ansatz.eval.problem import CallableTarget, MessageTarget, NumberTarget, Problem
from ansatz.eval.problem_files import read_objects
from ansatz.eval.score import Ask, Score, Scorer, ScoringContext, no_model
from ansatz.eval.validation import explain
from ansatz.eval.verifier.kpi import WEIGHTS
from ansatz.quantities.did_you_mean import nearest

_HINTS = 20  # unknown problems for which the nearest known one is sought


class BareAnswer(BaseModel):
    """One answer to one problem. A problem may have several answers."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    answer_id: str = Field(min_length=1)
    """Unique within the file."""
    problem_id: str = Field(min_length=1)
    """Id of the problem that it answers."""
    text: Annotated[str, BeforeValidator(lambda text: "" if text is None else text)]
    """The answer itself; null counts as empty."""

    def to_transcript(self) -> Transcript:
        """Convert the answer to the transcript of an attempt without calls."""
        return Transcript(
            answer=self.text,
            stop="refused" if refuses(self.text) else "answered" if self.text.strip() else "empty",
            messages=({"role": "assistant", "content": self.text},),
            model_calls=(),
            tool_calls=(),
            seconds=None,
        )


class Answer(BareAnswer):
    """One answer with all fields that a file may contain. Missing fields are empty."""

    answer_id: str = ""
    """Id of the answer, if the file has one."""
    question: str = ""
    """The question, if the file has it."""
    target: Any = None
    """The right answer, as in the file."""
    model: str = ""
    """Name of the model that answered."""
    arm: str = ""
    """Name of the arm."""
    repeat: int | None = None
    """Number of the repeat, if the file states it."""
    seconds: float | None = None
    """Duration of the attempt."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    state: str = ""
    """State of the attempt in the tables of `ansatz export`."""
    messages: Conversation = ()
    """The conversation in OpenAI's form, with tool calls and their results, if the file has it."""

    @model_validator(mode="before")
    @classmethod
    def _accept_exported_row(cls, row: Any) -> Any:
        """Rename the columns of a row of the attempts table that `ansatz export` writes."""
        if isinstance(row, dict) and {"problem", "state"} <= set(row) and "problem_id" not in row:
            return {**row, "problem_id": row["problem"], "text": row.get("answer")}
        return row

    @model_validator(mode="before")
    @classmethod
    def _read_question_and_text(cls, row: Any) -> Any:
        """Fill in the question and the answer from the first and last messages, if only these have them."""
        messages = row.get("messages") if isinstance(row, dict) else None
        if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
            return row
        by_role = {"question": ("user", messages), "text": ("assistant", messages[::-1])}
        found = {
            name: next((read_text(each.get("content")) for each in given if each.get("role") == role), None)
            for name, (role, given) in by_role.items()
        }
        return {name: text for name, text in found.items() if text is not None} | row

    def to_transcript(self) -> Transcript:
        """Convert the answer to the transcript of an attempt, with the tool calls of its conversation."""
        bare = super().to_transcript()
        messages = [each.to_json() for each in self.messages]
        if not messages and self.question:
            messages = [{"role": "user", "content": self.question}]
        if not messages or (messages[-1]["role"], messages[-1]["content"]) != ("assistant", self.text):
            messages += bare.messages
        is_reported = self.input_tokens is not None and self.output_tokens is not None
        usage = (
            Usage(input=self.input_tokens or 0, output=self.output_tokens or 0) if is_reported else Usage()
        )
        fields = {
            "messages": tuple(messages),
            "tool_calls": list_tool_calls(messages, lambda message: message.get("status") == "error"),
            "model_calls": (ModelCall(node="imported", seconds=self.seconds or 0.0, usage=usage),),
            "seconds": self.seconds,
        }
        return bare.model_copy(update=fields)


Form = TypeVar("Form", bound=BareAnswer)


def read_answers(file: Path, form: type[Form]) -> Iterator[tuple[str, Form | list[str]]]:
    """Yield the place of each line of a JSON Lines file, with its answer or a text for each fault.

    Ids may be integers, `text` may be null, and unknown fields are ignored.

    Raises
    ------
    InvalidData
        If the file cannot be read.
    """
    for place, content in read_objects(file):
        if isinstance(content, str):
            yield place, [content]
            continue
        stated = {name: value for name, value in content.items() if value is not None or name == "text"}
        try:
            yield place, form.model_validate(stated)
        except ValidationError as error:
            others = [name for name in content if name not in form.model_fields]
            yield place, [_with_hint(fault, others) for fault in explain(error, form)]


def _with_hint(fault: str, others: Sequence[str]) -> str:
    """Add a hint to a missing field: the unknown field of the line with the most similar name."""
    return f"{fault}{nearest(fault.partition(':')[0], others, shown=0)}" if "is missing" in fault else fault


def match_answers(
    problems: Mapping[str, Problem], file: Path
) -> tuple[tuple[BareAnswer, ...], list[str], list[str]]:
    """Match the answers of a file with problems.

    Returns
    -------
    answers
        The answers that can be scored.
    unknown
        One message for each answer to an unknown problem.
    faults
        One message for each fault, including repeated values of `answer_id`.
    """
    found: dict[str, BareAnswer] = {}
    places: dict[str, str] = {}
    unknown: list[str] = []
    faults: list[str] = []
    for place, answer in read_answers(file, BareAnswer):
        if isinstance(answer, list):
            faults += [f"{place}: {fault}" for fault in answer]
        elif answer.answer_id in found:
            faults.append(f"{place}: answer_id: {answer.answer_id!r} is already {places[answer.answer_id]}")
        elif answer.problem_id not in problems:
            hint = nearest(answer.problem_id, problems, shown=0) if len(unknown) < _HINTS else ""
            unknown.append(f"{place}: problem_id: {answer.problem_id!r} is not among the problems{hint}")
        else:
            found[answer.answer_id], places[answer.answer_id] = answer, place
    return tuple(found.values()), unknown, faults


async def score_answers(
    answers: Sequence[BareAnswer],
    problems: Mapping[str, Problem],
    scorer: Scorer,
    on_done: Callable[[int], None],
    ask: Ask = no_model,
) -> tuple[list[dict[str, Any]], list[str]]:
    """Score answers, a few at a time.

    Parameters
    ----------
    scorer
        A scorer that reports the eight dimensions and both sums without a prefix.
    on_done
        Called with the number of answers scored so far.
    ask
        How the scorer sends requests to its models.

    Returns
    -------
    rows
        One JSON row per answer. An answer for which a judge could not be reached has no scores.
    failed
        One message for each of these answers.

    Raises
    ------
    ModelError
        If a judge cannot be used at all.
    """

    async def score_one(answer: BareAnswer) -> tuple[dict[str, Any], str]:
        problem = problems[answer.problem_id]
        scores: tuple[Score, ...] = ()
        failed = ""
        try:
            scores = await scorer.score(ScoringContext(problem, answer.to_transcript(), ask))
        except ModelError:
            raise
        except InfrastructureError as failure:
            failed = f"{answer.answer_id}: {failure}"
        row = _build_row(
            answer, judge_by_target(problem, answer.text), {score.dimension: score for score in scores}
        )
        return row, failed

    scored = await map_concurrently(answers, score_one, on_done)
    return [row for row, _ in scored], [failed for _, failed in scored if failed]


def judge_by_target(problem: Problem, text: str) -> dict[str, Verdict | None]:
    """Judge an answer by target; None if a target has no right value or needs another scorer."""
    targets = problem.targets
    readable = [target for target in targets if not isinstance(target, MessageTarget | CallableTarget)]
    found = dict(zip((target.name for target in readable), judge_answer(problem, text), strict=True))
    unkeyed = {t.name for t in targets if isinstance(t, NumberTarget) and t.value is None}
    return {target.name: None if target.name in unkeyed else found.get(target.name) for target in targets}


def _build_row(
    answer: BareAnswer, targets: Mapping[str, Verdict | None], scores: Mapping[str, Score]
) -> dict[str, Any]:
    """Return the JSON row of an answer. `reasons` has the evidence of each target and dimension."""
    fields = ("value", "unit", "band", "unit_ok")
    read = {name: verdict.details(1.0) if verdict else {} for name, verdict in targets.items()}
    reasons = {name: verdict.evidence for name, verdict in targets.items() if verdict}
    reasons |= {name: scores[name].evidence for name in WEIGHTS if name in scores}
    return {
        "answer_id": answer.answer_id,
        "problem_id": answer.problem_id,
        "targets": {name: {key: each.get(key) for key in fields} for name, each in read.items()},
        "dimensions": {name: _to_points(scores.get(name), 2) for name in WEIGHTS},
        **{name: _to_points(scores.get(name), 100.0) for name in ("kpi", "kpi_published")},
        "reasons": reasons,
    }


def _to_points(score: Score | None, full: float) -> float | None:
    """Convert a score to points from 0 to `full`. With an integer `full`, whole points become integers."""
    if score is None or score.value is None:
        return None
    points = round(full * score.value, 6)
    return int(points) if isinstance(full, int) and points == int(points) else points

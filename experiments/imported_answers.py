"""Import answers that another tool collected, as a run folder that report, page and export can read.

Supported files: JSON Lines, JSON logs of Inspect, samples of lm-eval, results of promptfoo, and the published
files of ThermoQA.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, filterfalse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents import AgentPlan
from ansatz.agents.client import NO_CONTEXT, Reply, RequestContext
from ansatz.errors import AnsatzError, InfrastructureError, InvalidData
from ansatz.eval import Problem, Scorer
from ansatz.eval.answer_files import Answer, read_answers
from ansatz.eval.imported_messages import ImportedMessage
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem_files import problems as read_problems
from ansatz.eval.problem_files import read_objects
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.study_settings import StudySettings, check_name
from ansatz.experiments.ledger import Ledger, PlannedAttempt, canonical_hash
from ansatz.experiments.ledger.file import reporting_write_errors
from ansatz.experiments.run import Run
from ansatz.experiments.running.manifest import build_manifest, write_manifest
from ansatz.experiments.running.runner import rescore
from ansatz.quantities import nearest

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage
    from langchain_core.tools import BaseTool


@dataclass(frozen=True)
class _ImportedModel:
    """A model whose answers were imported. It cannot be asked."""

    title: str

    @property
    def identity(self) -> dict[str, Any]:
        return {"imported": self.title}

    @property
    def is_simulated(self) -> bool:
        return self.title.startswith("offline:")

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        raise InfrastructureError(f"{self.title} has imported answers only and cannot be asked")

    async def aclose(self) -> None:
        """Nothing to close."""


def _read_objects(path: Path, *, finite: bool = True) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file, one per line. Raises InvalidData at the first line without one."""
    for place, row in read_objects(path, finite=finite):
        if isinstance(row, str):
            raise InvalidData(f"{place}: {row}")
        yield row


def _read_jsonl(path: Path) -> Iterator[Answer]:
    faults: list[str] = []
    for place, row in read_answers(path, Answer):
        if isinstance(row, list):
            faults += [f"{place}: {fault}" for fault in row]
        elif row.state != "error":  # a failed attempt in a table exported by Ansatz has no answer
            yield row
    if faults:
        raise InvalidData("\n".join(faults))


def _read_inspect(path: Path) -> Iterator[Answer]:
    log = json.loads(path.read_text(encoding="utf-8"))
    about = log["eval"]
    arm = (about.get("metadata") or {}).get("arm") or about["task"]
    for row in log["samples"]:
        if row.get("error"):
            continue
        choices = row["output"].get("choices") or [{"message": {"content": ""}}]
        used = (row.get("model_usage") or {}).get(about["model"]) or {}
        yield Answer(
            problem_id=row["id"],
            text=_read_message_text(choices[0]["message"]["content"]),
            question=row["input"] if isinstance(row["input"], str) else row["input"][-1]["content"],
            target=row["target"],
            model=about["model"],
            arm=arm,
            repeat=row["epoch"] - 1,
            seconds=row.get("working_time"),
            input_tokens=used.get("input_tokens"),
            output_tokens=used.get("output_tokens"),
            messages=tuple(map(_read_inspect_message, row.get("messages") or ())),
        )


def _read_inspect_message(message: Mapping[str, Any]) -> ImportedMessage:
    """Convert a message of Inspect's log. The model saw the error of a failed call instead of a result."""
    calls = [
        {"id": call["id"], "function": {"name": call["function"], "arguments": call["arguments"]}}
        for call in message.get("tool_calls") or ()
    ]
    error = message.get("error")
    return ImportedMessage.model_validate(
        {
            "role": message["role"],
            "content": error["message"] if error else message["content"],
            "tool_calls": calls or None,
            "tool_call_id": message.get("tool_call_id"),
            "name": message.get("function"),
            "status": "error" if error else None,
        }
    )


def _read_lm_eval(path: Path) -> Iterator[Answer]:
    """Read samples_TASK_TIME.jsonl: one task of one model. The name of its folder is the model's."""
    name = re.fullmatch(r"samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+", path.stem)
    task, model = (name[1], path.parent.name) if name else ("", "")
    for row in _read_objects(path):
        doc, texts, question = row["doc"], row["resps"][0], row["doc"].get("question")
        if not isinstance(question, str):  # use the prompt; of a chat (JSON in a list), the last message
            prompt = row["arguments"]["gen_args_0"]["arg_0"]
            question = str(prompt[0] if isinstance(prompt, list) else prompt)
            if question.startswith('[{"role"'):
                question = str(json.loads(question)[-1]["content"])
        id, key = doc.get("id", row["doc_id"]), row["target"]
        for text in texts if isinstance(texts, list) else [texts]:
            yield Answer(problem_id=id, text=text, question=question, target=key, model=model, arm=task)


def _read_promptfoo(path: Path) -> Iterator[Answer]:
    """Read promptfoo's results. A repeat is a separate case there, with equal variables."""
    for row in json.loads(path.read_text(encoding="utf-8"))["results"]["results"]:
        if (row.get("response") or {}).get("output") is None:
            continue
        provider, given, prompt = row["provider"], row["vars"], row["prompt"]
        used = row["response"].get("tokenUsage") or {}
        yield Answer(
            problem_id=str(given.get("id") or canonical_hash(given)[:12]),
            text=_read_message_text(row["response"]["output"]),
            question=str(given.get("question") or prompt["raw"]),
            target=given.get("answer"),
            model=provider.get("label") or provider["id"],
            arm=prompt["label"],
            seconds=None if row.get("latencyMs") is None else row["latencyMs"] / 1000,
            input_tokens=used.get("prompt"),
            output_tokens=used.get("completion"),
        )


def _read_thermoqa(path: Path) -> Iterator[Answer]:
    """Read a published file: one model's run over one tier, as its name states. Each model becomes an arm."""
    name = re.fullmatch(r"tier\d-responses-(.+)-run(\d+)", path.stem)
    for row in _read_objects(path, finite=False):  # a failed extraction may hold an Infinity
        yield Answer(
            problem_id=row["id"],
            text=row.get("response_text") or row.get("raw_response"),
            model="published",
            arm=name[1] if name else "",
            repeat=int(name[2]) - 1 if name else None,
            seconds=row.get("latency_s"),
            input_tokens=row.get("input_tokens"),
            output_tokens=row.get("output_tokens"),
        )


_READERS: Mapping[str, Callable[[Path], Iterator[Answer]]] = {
    "jsonl": _read_jsonl,
    "inspect": _read_inspect,
    "lm-eval": _read_lm_eval,
    "promptfoo": _read_promptfoo,
    "thermoqa": _read_thermoqa,
}


def _read_message_text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part.get("text"))
    return content if isinstance(content, str) else json.dumps(content)


def read_imported_answers(kind: str, files: Sequence[Path], files_as: str = "arms") -> list[Answer]:
    """Read every answer of the files, and of the files in folders.

    `files_as` is "arms" or "models": what a file is if its answers name no arm or no model. Repeats are
    numbered as stated, otherwise in the order of the file. Raises InvalidData.
    """
    if kind not in _READERS:
        raise InvalidData(f"--from: there is no {kind!r}{nearest(kind, ['table', *_READERS])}")
    answers: list[Answer] = []
    paths = (sorted(file.glob("*.json*")) if file.is_dir() else [file] for file in files)
    for path in chain.from_iterable(paths):
        try:
            rows = list(_READERS[kind](path))
        except AnsatzError:
            raise
        except UnicodeDecodeError:
            hint = "; `inspect log convert` converts an .eval log to JSON" if kind == "inspect" else ""
            raise InvalidData(f"{path}: not UTF-8 text{hint}") from None
        except RecursionError:
            raise InvalidData(f"{path}: JSON that is nested too deeply") from None
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as fault:
            reason = f"{fault} is missing" if isinstance(fault, KeyError) else str(fault)
            raise InvalidData(f"{path}: this is not a file of {kind}: {reason}") from None
        for row in rows:
            model = row.model or (path.stem if files_as == "models" else "imported")
            arm = row.arm or (path.stem if files_as == "arms" else "imported")
            answers.append(row.model_copy(update={"model": model, "arm": arm}))
    if not answers:
        raise InvalidData(f"{', '.join(map(str, files))}: there is no answer to score")
    return list(_number_repeats(answers))


def _number_repeats(answers: Sequence[Answer]) -> Iterator[Answer]:
    """Number the repeats from 0: stated ones in their order, the others by the numbers that are free.

    Some files state a seed instead of a number, so only the order counts.
    """
    stated = sorted({each.repeat for each in answers if each.repeat is not None})
    places = {repeat: number for number, repeat in enumerate(stated)}
    taken: defaultdict[tuple[str, str, str], set[int]] = defaultdict(set)
    for each in answers:
        if each.repeat is not None:
            taken[each.model, each.arm, each.problem_id].add(places[each.repeat])
    for each in answers:
        used = taken[each.model, each.arm, each.problem_id]
        number = next(filterfalse(used.__contains__, count())) if each.repeat is None else places[each.repeat]
        used.add(number)
        yield each.model_copy(update={"repeat": number})


def _collect_problems(answers: Sequence[Answer], given: Sequence[Problem]) -> dict[str, Problem]:
    """Return the given problems, or else those in the files, with their keys."""
    if given:
        return {problem.id: problem for problem in given}
    made: dict[str, dict[str, Any]] = {}
    for each in answers:
        if not each.question or each.target in (None, "", []):
            raise InvalidData(f"{each.problem_id}: the file has no question or no key; give --problems")
        keys = each.target if isinstance(each.target, list) else [each.target]
        if len(keys) > 1:
            raise InvalidData(f"{each.problem_id}: the file has {len(keys)} keys; give --problems")
        key = keys[0].rpartition(" = ")[2] if isinstance(keys[0], str) else keys[0]
        made.setdefault(each.problem_id, {"id": each.problem_id, "question": each.question, "answer": key})
    return {problem.id: problem for problem in read_problems(made.values())}


def imported_design(
    settings: StudySettings,
    models: Iterable[str],
    arms: Iterable[str],
    problems: Mapping[str, Problem],
    scorers: Sequence[Scorer],
) -> Design:
    """Return the design of an imported run. Without a baseline in the settings, it is the first arm.

    Raises InvalidData for an unknown baseline, and StudyError for a name that is no heading.
    """
    models, arms = dict.fromkeys(models), dict.fromkeys(arms)
    baseline = settings.baseline or next(iter(arms), "")
    if baseline not in arms:
        raise InvalidData(f"--baseline: there is no arm {baseline!r}{nearest(baseline, arms)}")
    for kind, names in (("models", models), ("arms", arms)):
        for each in names:
            check_name(kind, each)
    return Design(
        settings=settings.model_copy(update={"baseline": baseline}),
        models={each: Model(_ImportedModel(each), label=each) for each in models},
        arms={each: Arm(each, (), AgentPlan()) for each in arms},
        problems=problems,
        scorers=scorers,
    )


async def score_imported_answers(
    answers: Sequence[Answer],
    given: Sequence[Problem],
    folder: Path,
    baseline: str = "",
    scorers: Sequence[Scorer] = (),
) -> Run:
    """Write the answers to a run folder and score them.

    The default scorer is `Outcome`, and the default baseline the first arm. Raises InvalidData.
    """
    problems = _collect_problems(answers, given)
    attempts: dict[PlannedAttempt, Answer] = {}
    for each in answers:
        if each.problem_id not in problems:
            hint = nearest(each.problem_id, list(problems), shown=0)
            raise InvalidData(f"{each.problem_id!r} is not among the problems{hint}")
        who = (each.model, each.arm, each.problem_id, each.repeat or 0)
        if attempts.setdefault(PlannedAttempt(canonical_hash(["imported", *who]), *who), each) is not each:
            whose = f"{each.problem_id!r} by {each.model} under {each.arm}, repeat {each.repeat}"
            raise InvalidData(f"{whose}: this attempt is in the files twice")
    settings = StudySettings.model_construct(  # a folder may have any name
        name=folder.name,
        baseline=baseline,
        repeats=1 + max((attempt.repeat for attempt in attempts), default=0),
    )
    models, arms = [attempt.model for attempt in attempts], [attempt.arm for attempt in attempts]
    design = imported_design(settings, models, arms, problems, tuple(scorers) or (Outcome(),))
    with reporting_write_errors(folder), Ledger.open(folder) as ledger:
        if ledger.count_planned():
            raise InvalidData(f"{folder} already has a run; name another folder with --out")
        ledger.plan(attempts, problems.values())
        for attempt, each in attempts.items():
            ledger.record(attempt, transcript=each.to_transcript(), error="not scored yet")
        ledger.describe({"source": None, "scored_by": design.scored_by})
        write_manifest(build_manifest(design, len(attempts)), ledger, folder)
        await rescore(design, ledger)
    return Run(folder)

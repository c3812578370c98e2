"""The task as Inspect has it: one for each arm."""

from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, system_message

FIELDS = FieldSpec(id="id", input="question", target="answer")


@task
def plain():
    return Task(dataset=json_dataset("pumps.jsonl", FIELDS), solver=generate(), scorer=includes(), epochs=2)


@task
def si():
    helped = [system_message("Convert all givens to SI first."), generate()]
    return Task(dataset=json_dataset("pumps.jsonl", FIELDS), solver=helped, scorer=includes(), epochs=2)

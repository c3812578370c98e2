"""What templates of school physics add: topic, kind of question, and Bloom's taxonomy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

from ansatz.eval.benchmarks.templates.template import Language, StepSpec, Template
from ansatz.knowledge_base.equation import Library
from ansatz.quantities.did_you_mean import nearest

Kind = Literal["problem_solving", "conceptual"]
Cognitive = Literal["remember", "understand", "apply", "analyze", "evaluate", "create"]
Knowledge = Literal["factual", "conceptual", "procedural"]
TOPICS = (
    "introduction",
    "mechanics",
    "electricity_magnetism",
    "thermodynamics",
    "waves_acoustics",
    "optics",
    "modern",
)
KINDS: tuple[str, ...] = get_args(Kind)
COGNITIVE: tuple[str, ...] = get_args(Cognitive)
KNOWLEDGE: tuple[str, ...] = get_args(Knowledge)


class WorkedStep(StepSpec):
    """A step as it is written out for learners."""

    title: str
    reasoning: str


class PhysBenchTemplate(Template):
    """A template of school physics; its topic is the folder that it stands in."""

    benchmark: ClassVar[str] = "physbench"
    stated_as: ClassVar[str] = ""
    is_worked: ClassVar[bool] = True

    kind: Kind
    cognitive: Cognitive
    knowledge: Knowledge
    steps: tuple[WorkedStep, ...] = ()

    @property
    def topic(self) -> str:
        return self.id.split(".")[0]

    @property
    def seed_key(self) -> str:
        return f"{self.benchmark}/{self.id}"

    def tags(self, library: Library, language: Language) -> dict[str, str | tuple[str, ...]]:
        return {
            "topic": self.topic,
            "kind": self.kind,
            "format": "multiple_choice" if self.choice else "open",
            "cognitive": self.cognitive,
            "knowledge": self.knowledge,
        }

    def own_faults(self) -> Iterator[str]:
        if self.topic not in TOPICS:
            yield f"id: {self.topic!r} is no topic{nearest(self.topic, TOPICS)}"
        if self.kind == "conceptual":
            if not self.answer:
                yield "answer: a conceptual question needs one, with its key points"
            return
        if not self.steps:
            yield "steps: a problem to be solved needs at least one"
        if not (self.targets or self.labels or self.choice):
            yield "targets: a problem to be solved asks for numbers, labels or a choice"

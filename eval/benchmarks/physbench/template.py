"""Templates of school physics: topic, kind of question, and level in Bloom's taxonomy."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from pydantic import model_validator

from ansatz.eval.benchmarks.templates.template import Language, Template
from ansatz.eval.benchmarks.templates.template_parts import StepSpec
from ansatz.knowledge_base.equation import Library

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
    """A step with a title and a reason, for a worked solution."""

    title: str
    reasoning: str


class PhysBenchTemplate(Template):
    """A template of school physics; its folder is its topic."""

    benchmark: ClassVar[str] = "physbench"
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

    @model_validator(mode="after")
    def _check_kind(self) -> PhysBenchTemplate:
        if self.kind == "conceptual":
            if not self.answer or len(self.answer.key_points) < 2:
                raise ValueError("answer: a conceptual question needs an answer with two key points or more")
        elif not self.steps:
            raise ValueError("steps: a problem_solving question needs at least one step")
        elif not (self.targets or self.labels or self.choice):
            raise ValueError("targets: a problem_solving question needs targets, labels or a choice")
        return self

"""Instructions in the prompt: your own, or one of the texts in this folder."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.settings import settings


@settings()
class WithPrompt(Intervention):
    """Your own instructions in the prompt.

    Example: `WithPrompt("Convert all givens to SI units first.")`.
    """

    text: str
    """The instructions, added after those of the answer's form."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(self.text)


@dataclass(frozen=True)
class CalculationProtocol(Intervention):
    """A seven-step engineering calculation protocol in the prompt (PA-CoT).

    The steps are those behind G1 to G7 of TPS-CalcBench (arXiv:2604.17966, section VII.3).

    Example: `one_at_a_time(CalculationProtocol(), Placebo())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(read_prompt("calculation_protocol"))


@dataclass(frozen=True)
class CycleProtocol(Intervention):
    """A protocol for devices and cycles in the prompt: states, balances, closing check.

    It has eight steps, from a sketch to a closed balance, and contains no formula and no property value.

    Example: `one_at_a_time(CycleProtocol(), Placebo())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(read_prompt("cycle_protocol"))


@dataclass(frozen=True)
class AnswerTemplate(Intervention):
    """A template for the answer: formulation, numbered steps, final answer.

    The template of PhysBench (Scaria et al., figure 7) lets a judge score each part separately.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, arms={"template": AnswerTemplate()})`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(read_prompt("answer_template"))


@dataclass(frozen=True)
class SimplePrompt(Intervention):
    """Only the form of the answer, after the simple prompt of TPBench (appendix B.1), paraphrased.

    Example: `one_at_a_time(SimplePrompt(), Polya())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(read_prompt("simple_prompt"))


@dataclass(frozen=True)
class Polya(Intervention):
    """Advice from G. Polya, How to Solve It (1945), in the prompt, with the form of the simple prompt.

    The text paraphrases TPBench (appendix B.2).

    Example: `one_at_a_time(SimplePrompt(), Polya())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(read_prompt("polya"))

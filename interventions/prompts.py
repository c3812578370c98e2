"""Instructions in the prompt: one's own, or one of the texts that lie beside this file."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, prompt


@dataclass(frozen=True)
class WithPrompt(Intervention):
    """Instructions of one's own in the prompt.

    Example: `WithPrompt("Convert all givens to SI units first.")`.
    """

    text: str

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(self.text)


@dataclass(frozen=True)
class CalculationProtocol(Intervention):
    """A seven-step engineering calculation protocol in the prompt (PA-CoT).

    TPS-CalcBench (arXiv:2604.17966, section VII.3): the steps behind G1 to G7.

    Example: `one_at_a_time(CalculationProtocol(), Placebo())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(prompt("calculation_protocol"))


@dataclass(frozen=True)
class CycleProtocol(Intervention):
    """A protocol for devices and cycles in the prompt: states, balances, closing check.

    Eight steps from a sketch to a closed balance; it holds no formula and no property value.

    Example: `one_at_a_time(CycleProtocol(), Placebo())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(prompt("cycle_protocol"))


@dataclass(frozen=True)
class AnswerTemplate(Intervention):
    """A template for the answer: formulation, numbered steps, final answer.

    That of PhysBench (Scaria et al., figure 7), so that each part can be judged alone.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, arms={"template": AnswerTemplate()})`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(prompt("answer_template"))


@dataclass(frozen=True)
class SimplePrompt(Intervention):
    """The form of the answer alone, after the simple prompt of TPBench (appendix B.1), in our own words.

    Example: `one_at_a_time(SimplePrompt(), Polya())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(prompt("simple_prompt"))


@dataclass(frozen=True)
class Polya(Intervention):
    """Advice from G. Polya, How to Solve It (1945), in the prompt, with the form of the simple prompt.

    After TPBench (appendix B.2), in our own words.

    Example: `one_at_a_time(SimplePrompt(), Polya())`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(prompt("polya"))

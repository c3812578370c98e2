"""The offline chat model: a rule-based solver with a person's limits, which interventions lift."""

from ansatz.agents.slide_rule.model import SlideRule

__all__ = ["SlideRule"]

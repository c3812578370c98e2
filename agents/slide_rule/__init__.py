"""The offline model: a rule-based solver with a person's limits, for runs without key, network or weights."""

from ansatz.agents.slide_rule.model import SlideRule

__all__ = ["SlideRule"]

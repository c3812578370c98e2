"""The offline model: a rule-based solver with human-like limits, for runs without key, network or weights."""

from ansatz.agents.slide_rule.model import SlideRule

__all__ = ["SlideRule"]

"""Interventions: each module contains one switchable change to an AgentPlan."""

from ansatz.interventions.intervention import BuildsOnEarlier, Intervention, apply_all, get_switch_name

__all__ = ["BuildsOnEarlier", "Intervention", "apply_all", "get_switch_name"]

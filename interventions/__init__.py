"""Interventions: each module holds one switchable change to an AgentPlan."""

from ansatz.interventions.intervention import BuildsOnEarlier, Intervention, apply_all, switch_name

__all__ = ["BuildsOnEarlier", "Intervention", "apply_all", "switch_name"]

"""Interventions: each module holds one switchable change to an AgentPlan."""

from ansatz.interventions.intervention import Intervention, apply_all

__all__ = ["Intervention", "apply_all"]

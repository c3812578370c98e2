"""Devices and cycles, worked through as remembered procedures."""

from ansatz.agents.slide_rule.procedures.solving import solve_process

__all__ = ["solve_process"]

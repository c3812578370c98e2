"""The derivation chain solver: from givens to targets through the base, with each step as evidence."""

from ansatz.knowledge_base.chain.evidence import Chain, Input, Step, Supplied, Wanted
from ansatz.knowledge_base.chain.solver import Solver

__all__ = ["Chain", "Input", "Solver", "Step", "Supplied", "Wanted"]

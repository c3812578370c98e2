"""Every numeric answer of the astrodynamics sets by another way than the reference's.

One function for each set, in the module of its topic: from the stated givens in SI units and radians to the answers
in the same units, by the names of their steps. Nothing of the reference functions is used.
"""

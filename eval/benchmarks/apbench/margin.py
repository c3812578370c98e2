"""APBench's adaptive margin: an answer is right within 0.1 + 0.01·ln|key| of the key, relatively.

The paper and the published code differ where that is below 0 or above 1: the paper falls back to 0.1, the
code takes the absolute value. The logarithm is natural and the deviation relative in the code; the paper
leaves both open. Faults that both share, and the reason for a strict rule beside it:

- The margin depends on the unit: 7000 km may be off by 18.9 %, the same length in metres by 25.8 %.
- It grows with the key: an energy of 1e9 J may be off by 30.7 %.
- It vanishes at e⁻¹⁰ = 4.54e-5, so that near it nothing but the key itself is right; a little below, the
  paper's margin jumps to 10 %.
- It is undefined at 0, where the code ends with an error.
- The code counts an answer of 0 as no answer, and neither looks at units.
"""

from __future__ import annotations

import math
from typing import Literal

MarginRule = Literal["paper", "code"]
FALLBACK = 0.1


def margin(key: float, rule: MarginRule = "paper") -> float:
    """The relative deviation that is accepted. Raises ValueError for a key of 0 or one that is not finite."""
    if key == 0 or not math.isfinite(key):
        raise ValueError(f"the adaptive margin is undefined for a key of {key:g}")
    adaptive = 0.1 + 0.01 * math.log(abs(key))
    if rule == "code":
        return abs(adaptive)
    return adaptive if 0 <= adaptive <= 1 else FALLBACK


def is_right(stated: float, key: float, rule: MarginRule = "paper") -> bool:
    """Whether a bare number is within the margin of the key. Raises ValueError as `margin` does."""
    accepted = margin(key, rule)
    if rule == "code" and stated == 0:
        return False
    return stated == key or abs(stated - key) / abs(key) < accepted

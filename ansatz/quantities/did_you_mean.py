"""The end of an error message that names what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(wrong: str, valid: Iterable[str], shown: int = 12, cutoff: float = 0.5) -> str:
    """The likeliest meaning of `wrong`, then up to `shown` of what is valid.

    `cutoff` is the least likeness (0 to 1, as difflib has it) of a meaning that is proposed.
    """
    names = [str(name) for name in valid]
    folded = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(wrong.lower(), list(folded), n=1, cutoff=cutoff)
    meant = f"; did you mean {folded[close[0]]!r}?" if close else ""
    if not shown:
        return meant
    more = ", …" if len(names) > shown else ""
    return f"{meant} (valid: {', '.join(names[:shown]) or 'none'}{more})"

"""The end of an error message that names what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(wrong: str, valid: Iterable[str], shown: int = 12) -> str:
    """The likeliest meaning of `wrong`, then up to `shown` of what is valid."""
    names = [str(name) for name in valid]
    folded = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(wrong.lower(), list(folded), n=1, cutoff=0.5)
    meant = f"; did you mean {folded[close[0]]!r}?" if close else ""
    if not shown:
        return meant
    more = ", …" if len(names) > shown else ""
    return f"{meant} (valid: {', '.join(names[:shown]) or 'none'}{more})"

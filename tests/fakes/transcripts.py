"""Attempts as a scorer sees them, made from the answer's text alone."""

from ansatz.agents import Transcript


def attempt(answer, stop=None):
    """An attempt that ended with this answer after no recorded calls; one without a text is `empty`."""
    stop = stop or ("answered" if answer else "empty")
    return Transcript(answer=answer, stop=stop, messages=(), model_calls=(), tool_calls=(), seconds=0.0)

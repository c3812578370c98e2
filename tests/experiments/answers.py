"""A transcript of nothing but an answer, for scorers."""

from ansatz.agents import Transcript


def transcript_of(answer: str) -> Transcript:
    return Transcript(answer=answer, stop="answered", messages=(), model_calls=(), tool_calls=(), seconds=0.0)

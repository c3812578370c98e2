"""report.md: what was compared, what moved, and how much of it could not be scored."""

from __future__ import annotations

from ansatz.eval.views import Results
from ansatz.experiments.report.chapters import chapters, views
from ansatz.experiments.report.endings import finished, warnings
from ansatz.experiments.report.text import chapter_markdown


def to_markdown(data: Results) -> str:
    warned = [f"> **{line.replace('Warning:', 'Warning:**', 1)}" for line in warnings(data)]
    blocks = [f"# {data.title}", simulated(data), _overview(data), *warned, "![Deltas](deltas.png)"]
    for chapter in (*views(data), *chapters(data)):
        blocks += chapter_markdown(chapter)
    blocks.append(_method(data))
    return "\n\n".join(block for block in blocks if block) + "\n"


def simulated(data: Results) -> str:
    """A warning where a model is none; empty otherwise."""
    if not data.simulated:
        return ""
    return (
        f"> **Simulated.** {', '.join(sorted(data.simulated))} is a rule-based offline solver, not a "
        "language model. Its results show that the measurement works; "
        "they are no claim about language models."
    )


def _overview(data: Results) -> str:
    done = finished(data)
    asked = set(data.attempts.problem.tolist())
    families = {data.asked[place].family for place in asked}
    repeats = len(set(data.attempts.repeat.tolist()))
    lines = [
        f"{_count(len(asked), 'problem')} of {_count(len(families), 'family')}, "
        f"{_count(len(data.arms), 'arm')}, {_count(repeats, 'repeat')}: {done} of "
        f"{data.planned} attempts finished, {len(data.attempts) - done} failed."
    ]
    if done < data.planned:
        lines.append("**The run is not complete**; resume it with `ansatz run`.")
    return "\n\n".join([" ".join(lines), *data.notes])


def _method(data: Results) -> str:
    return (
        "## How to read this\n\n"
        f"A difference is the mean over problems of arm − {data.baseline}, repeats averaged first, over the "
        "n problems scored in both; problems not scored in both are dropped. Brackets are "
        f"{data.level:.0%} intervals from {data.resamples} resamples of whole problem families (seed "
        f"{data.seed}), for shares and marks cut at the largest difference that is possible; p is from a "
        "sign-flip permutation test over families, adjusted after Holm for all arms and dimensions of a "
        "model (resources apart). **Bold** marks differences with an interval clear of zero and p < 0.05. "
        "Every column names its scale. "
        "In the figure, grey intervals include zero and filled circles have p < 0.05."
    )


def _count(number: int, thing: str) -> str:
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{number} {thing if number == 1 else plural}"

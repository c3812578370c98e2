"""report.md: what was compared, what moved, and how much of it could not be scored."""

from __future__ import annotations

from ansatz.eval.views import Results
from ansatz.experiments.report.chapters import chapters, views
from ansatz.experiments.report.endings import finished, warnings
from ansatz.experiments.report.text import chapter_markdown

PROVISIONAL = "Differences are provisional: a run that goes on is not tested, and nothing is starred."


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
    if not data.is_complete:
        lines.append(PROVISIONAL)
    return "\n\n".join([" ".join(lines), *data.notes])


def _method(data: Results) -> str:
    adjusted = "after Westfall and Young" if data.correction == "westfall-young" else "after Holm"
    return (
        "## How to read this\n\n"
        f"A difference is the mean over problems of arm − {data.baseline}, repeats averaged first, over the "
        "n problems scored in both; problems not scored in both are dropped. Every problem counts alike, and "
        "the population are further families of such problems. Brackets are intervals from "
        f"{data.resamples} resamples of whole problem families (seed {data.seed}) that hold at "
        f"{data.level:.0%} for all comparisons of a kind at once; p is from sign flips of whole families, "
        f"adjusted {adjusted} for all models, arms and dimensions (resources, by their ratios, apart; "
        "seconds are not tested). **Bold** marks differences with an interval clear of zero and p < 0.05. "
        "Every column names its scale. In the figure, grey intervals include zero and filled circles have "
        "p < 0.05. More in docs/statistics.md."
    )


def _count(number: int, thing: str) -> str:
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{number} {thing if number == 1 else plural}"

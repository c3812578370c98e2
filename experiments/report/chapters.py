"""All that a report has to say, in order: what moved, what it rests on, and chapters on benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ansatz.experiments.design import plugins
from ansatz.experiments.report import factorial_chapter, frontier, judge_error
from ansatz.experiments.report.cost import cost, models_compared
from ansatz.experiments.report.deltas import breakdowns, delta_chapters
from ansatz.experiments.report.endings import errors, how_answers_were_read, how_attempts_ended, unscored
from ansatz.experiments.report.evidence import arms_compared, missing, seen
from ansatz.experiments.report.tables import Chapter
from ansatz.experiments.results import Results

ChapterMaker = Callable[[Results], Chapter | None]

GROUP = "ansatz.chapters"


@lru_cache(maxsize=2)
def views(data: Results) -> tuple[Chapter, ...]:
    """What every run has: differences by model, how attempts ended and what they took, and breakdowns."""
    compared = seen(data), arms_compared(data), models_compared(data)
    ended = how_attempts_ended(data), missing(data), how_answers_were_read(data)
    made = *compared, *ended, cost(data), errors(data), unscored(data)
    attempts = [section for section in made if section is not None]
    return (*delta_chapters(data), Chapter("attempts", "The attempts", attempts), *breakdowns(data))


@lru_cache(maxsize=2)
def chapters(data: Results) -> tuple[Chapter, ...]:
    """On a run's benchmarks in the order in which their problems come, then on its design and reviewers.

    The chapter of a benchmark is a function from results to a Chapter, or to None where there is nothing to
    say. It is found by the benchmark's name in the entry-point group "ansatz.chapters".
    """
    known = set(plugins.names(GROUP))
    benchmarks = dict.fromkeys(problem.benchmark for problem in data.problems.values())
    found: list[ChapterMaker] = [plugins.factory_of(GROUP, name) for name in benchmarks if name in known]
    own = (factorial_chapter.chapter, frontier.chapter, judge_error.chapter)
    makers = dict.fromkeys([*found, *own])  # benchmarks may share one
    return tuple(chapter for make in makers if (chapter := make(data)) is not None)

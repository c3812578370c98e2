"""The chapters of a report in order: differences, attempts, breakdowns, then benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from ansatz.experiments.design import plugins
from ansatz.experiments.report import (
    factorial_chapter,
    frontier,
    handbook_chapter,
    judge_error,
    leave_one_out_chapter,
    probe_chapter,
    tool_chapter,
)
from ansatz.experiments.report.comparisons import can_be_significant
from ansatz.experiments.report.cost import cost, models_compared
from ansatz.experiments.report.deltas import breakdowns, delta_chapters
from ansatz.experiments.report.evidence import arms_compared, detectable_effects, missing_scores
from ansatz.experiments.report.ranking import ranks
from ansatz.experiments.report.screening_chapter import screening_chapter
from ansatz.experiments.report.stop_reasons import failures, stop_reasons, unscored, value_sources
from ansatz.experiments.report.tables import Chapter, Section
from ansatz.experiments.results import Results

ChapterMaker = Callable[[Results], Chapter | None]

GROUP = "ansatz.chapters"
_SMALL_ARMS, _SMALL_PROBLEMS = 3, 30  # up to which a report is short


@lru_cache(maxsize=2)
def run_chapters(data: Results) -> tuple[Chapter, ...]:
    """Make the chapters that every run has: differences by model, attempts and cost, breakdowns.

    A screening design has the effects of its switches instead of differences and breakdowns.
    """
    compared = ranks(data), detectable_effects(data), arms_compared(data), models_compared(data)
    ended = stop_reasons(data), missing_scores(data), value_sources(data)
    made = *compared, *ended, cost(data), failures(data), unscored(data)
    attempts = [section for section in made if section is not None]
    attempts_chapter = Chapter("attempts", "The attempts", attempts)
    if data.screened:
        return (screening_chapter(data), attempts_chapter)
    return (*delta_chapters(data), attempts_chapter, *breakdowns(data))


def report_chapters(data: Results) -> tuple[Chapter, ...]:
    """Return all chapters; those of a small run without the analyses that can show nothing."""
    every = (*run_chapters(data), *benchmark_chapters(data))
    if can_be_significant(data):
        return every
    return _select_sections(every, lambda section: not section.is_analysis)


def markdown_chapters(data: Results, full: bool) -> tuple[Sequence[Chapter], list[str]]:
    """Return the chapters that report.md shows, and the titles of the sections that it leaves out.

    Without `full`, it leaves out what shows that all is normal and, for a small study, the details.
    """
    every, is_small = report_chapters(data), _is_small(data)
    if full:
        return every, []
    shown = _select_sections(every, lambda each: not (each.is_normal or (each.is_detail and is_small)))
    titles = {section.title for chapter in shown for section in chapter.sections}
    sections = [section.title for chapter in every for section in chapter.sections]
    return shown, [title for title in dict.fromkeys(sections) if title not in titles]


def _is_small(data: Results) -> bool:
    asked = set(data.attempts.problem.tolist())
    return len(data.treatments) <= _SMALL_ARMS and len(asked) <= _SMALL_PROBLEMS


def _select_sections(chapters: Sequence[Chapter], wanted: Callable[[Section], bool]) -> tuple[Chapter, ...]:
    """Return the chapters with the wanted sections; a chapter without any is left out."""
    shown = (replace(each, sections=list(filter(wanted, each.sections))) for each in chapters)
    return tuple(chapter for chapter in shown if chapter.sections)


@lru_cache(maxsize=2)
def benchmark_chapters(data: Results) -> tuple[Chapter, ...]:
    """Make the chapters on a run's benchmarks by its problems, then on design, tools and reviewers.

    The chapter of a benchmark is a function of the results that returns a Chapter or None. It is found by the
    benchmark's name in the entry-point group "ansatz.chapters".
    """
    known = set(plugins.list_names(GROUP))
    benchmarks = dict.fromkeys(problem.benchmark for problem in data.problems.values())
    found: list[ChapterMaker] = [plugins.find_factory(GROUP, name) for name in benchmarks if name in known]
    own = (
        probe_chapter.chapter,
        factorial_chapter.chapter,
        leave_one_out_chapter.chapter,
        tool_chapter.chapter,
        handbook_chapter.chapter,
        frontier.chapter,
        judge_error.chapter,
    )
    makers = dict.fromkeys([*found, *own])  # benchmarks may share one
    return tuple(chapter for make in makers if (chapter := make(data)) is not None)

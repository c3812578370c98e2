"""Which chapters a run has: on its benchmarks, on its design, on its reviewers.

A chapter is a function from the report's data to a Chapter, or to None where there is nothing to say. It is
found by the name of its benchmark in the entry-point group "ansatz.chapters".
"""

from __future__ import annotations

from collections.abc import Callable

from ansatz.experiments import plugins
from ansatz.experiments.report import factorial, judge_error
from ansatz.experiments.report.section import Chapter
from ansatz.experiments.report.table import ReportData

ChapterMaker = Callable[[ReportData], Chapter | None]

GROUP = "ansatz.chapters"


def find_chapters(data: ReportData) -> tuple[Chapter, ...]:
    """Those of a run's benchmarks in the order in which their problems come, then those on any benchmark."""
    known = set(plugins.names(GROUP))
    benchmarks = dict.fromkeys(problem.benchmark for problem in data.problems.values())
    found: list[ChapterMaker] = [plugins.factory_of(GROUP, name) for name in benchmarks if name in known]
    makers = dict.fromkeys([*found, factorial.chapter, judge_error.chapter])  # benchmarks may share one
    return tuple(chapter for make in makers if (chapter := make(data)) is not None)

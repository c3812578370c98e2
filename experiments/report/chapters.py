"""Which benchmarks of a run have a chapter of their own.

A chapter is a function from the report's data to a Chapter, or to None where there is nothing to say. It is
found by the name of its benchmark in the entry-point group "ansatz.chapters".
"""

from __future__ import annotations

from collections.abc import Callable

from ansatz.experiments import plugins
from ansatz.experiments.report.section import Chapter
from ansatz.experiments.report.table import ReportData

ChapterMaker = Callable[[ReportData], Chapter | None]

GROUP = "ansatz.chapters"


def find_chapters(data: ReportData) -> tuple[Chapter, ...]:
    """The chapters of a run's benchmarks, in the order in which their problems come."""
    known = set(plugins.names(GROUP))
    benchmarks = dict.fromkeys(problem.benchmark for problem in data.problems.values())
    makers: list[ChapterMaker] = [plugins.find(GROUP, name).load() for name in benchmarks if name in known]
    return tuple(chapter for make in makers if (chapter := make(data)) is not None)

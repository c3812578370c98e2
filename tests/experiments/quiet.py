"""Run a study file, or resume a run folder, as the command line does, without a display."""

import asyncio

from ansatz.experiments.running.progress import Progress
from ansatz.experiments.study import Study


def ran(source, out=None, progress=None):
    """The run, in an event loop of its own."""
    study = Study.from_run(source) if source.is_dir() else Study.from_yaml(source)
    return asyncio.run(study.arun(source if source.is_dir() else out, progress=progress or Progress()))

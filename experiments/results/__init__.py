"""The stored attempts of a study in columns, with means and paired differences."""

from ansatz.experiments.results.estimate import Estimate
from ansatz.experiments.results.results import BenchmarkRun, Results, Subset
from ansatz.experiments.results.stored_study import (
    Attempts,
    Decision,
    Evidence,
    Floats,
    Interim,
    Mask,
    Numbers,
    Stage,
    StoredStudy,
    System,
    WalkedPaths,
    read_tag,
    safe_file_name,
    values_of_tag,
)

__all__ = [
    "Attempts",
    "BenchmarkRun",
    "Decision",
    "Estimate",
    "Evidence",
    "Floats",
    "Interim",
    "Mask",
    "Numbers",
    "Results",
    "Stage",
    "StoredStudy",
    "Subset",
    "System",
    "WalkedPaths",
    "read_tag",
    "safe_file_name",
    "values_of_tag",
]

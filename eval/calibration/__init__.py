"""Compare judges with human annotators on the same answers: agreement, bias, and which judge to use.

This package reads scores from files and calls no model; `eval/judging/` does that.
"""

from ansatz.eval.calibration.judge_calibration import (
    Calibration,
    DimensionCalibration,
    JudgeComparison,
    Method,
    calibrate,
    calibrate_by_tag,
    compare_judges,
    rank_correlation,
)
from ansatz.eval.calibration.labels import THREE_POINTS, Label, read_labels

__all__ = [
    "THREE_POINTS",
    "Calibration",
    "DimensionCalibration",
    "JudgeComparison",
    "Label",
    "Method",
    "calibrate",
    "calibrate_by_tag",
    "compare_judges",
    "rank_correlation",
    "read_labels",
]

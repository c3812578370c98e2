"""Judges held against people on the same answers: who scored what, how far they agree, and whom to take.

It reads marks wherever they come from, and asks no model: that is `eval/judging/`.
"""

from ansatz.eval.calibration.judge_calibration import (
    Calibration,
    DimensionCalibration,
    JudgesCompared,
    Method,
    agreement_on_order,
    calibrate,
    compare_judges,
    groups_by_tag,
)
from ansatz.eval.calibration.labels import THREE_POINTS, Label, read_labels

__all__ = [
    "THREE_POINTS",
    "Calibration",
    "DimensionCalibration",
    "JudgesCompared",
    "Label",
    "Method",
    "agreement_on_order",
    "calibrate",
    "compare_judges",
    "groups_by_tag",
    "read_labels",
]

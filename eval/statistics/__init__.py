"""Statistics of scores: paired differences, agreement of judges, effects of switches."""

from ansatz.eval.statistics.multiplicity import (
    Adjusted,
    AdjustedFamily,
    Correction,
    adjust_familywise,
    gate_by_primary,
    holm,
)
from ansatz.eval.statistics.paired import PairedDelta, clustered_mean, mean_and_sigma
from ansatz.eval.statistics.prediction_powered import Rated, calibrated_delta
from ansatz.eval.statistics.ratio import estimate_share

__all__ = [
    "Adjusted",
    "AdjustedFamily",
    "Correction",
    "PairedDelta",
    "Rated",
    "adjust_familywise",
    "calibrated_delta",
    "clustered_mean",
    "estimate_share",
    "gate_by_primary",
    "holm",
    "mean_and_sigma",
]

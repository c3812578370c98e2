"""What scores tell of arms, judges and switches, and how far luck could explain it."""

from ansatz.eval.statistics.fieller import share
from ansatz.eval.statistics.multiplicity import Adjusted, Correction, Together, gated, holm, judge_together
from ansatz.eval.statistics.paired import PairedDelta, clustered_mean, mean_and_sigma
from ansatz.eval.statistics.prediction_powered import Rated, calibrated_delta

__all__ = [
    "Adjusted",
    "Correction",
    "PairedDelta",
    "Rated",
    "Together",
    "calibrated_delta",
    "clustered_mean",
    "gated",
    "holm",
    "judge_together",
    "mean_and_sigma",
    "share",
]

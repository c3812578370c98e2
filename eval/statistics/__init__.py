"""What scores tell of arms, judges and switches, and how far luck could explain it."""

from ansatz.eval.statistics.agreement import (
    Agreement,
    Coefficient,
    agreement_shares,
    cohen_kappa,
    gwet_ac,
    pearson,
    spearman,
    spearman_p,
    with_interval,
)
from ansatz.eval.statistics.fieller import Share, share
from ansatz.eval.statistics.multiplicity import (
    CORRECTIONS,
    Adjusted,
    Correction,
    Together,
    gated,
    holm,
    judge_together,
)
from ansatz.eval.statistics.paired import (
    PairedDelta,
    Scores,
    clustered_mean,
    contrast,
    mean_and_sigma,
    paired_delta,
    problem_means,
    weighted_mean,
    with_prior,
)
from ansatz.eval.statistics.pass_at_k import Passing, best_at_k, pass_at_k, passing
from ansatz.eval.statistics.prediction_powered import (
    CalibratedDelta,
    Rated,
    calibrated_delta,
)

__all__ = [
    "CORRECTIONS",
    "Adjusted",
    "Agreement",
    "CalibratedDelta",
    "Coefficient",
    "Correction",
    "PairedDelta",
    "Passing",
    "Rated",
    "Scores",
    "Share",
    "Together",
    "agreement_shares",
    "best_at_k",
    "calibrated_delta",
    "clustered_mean",
    "cohen_kappa",
    "contrast",
    "gated",
    "gwet_ac",
    "holm",
    "judge_together",
    "mean_and_sigma",
    "paired_delta",
    "pass_at_k",
    "passing",
    "pearson",
    "problem_means",
    "share",
    "spearman",
    "spearman_p",
    "weighted_mean",
    "with_interval",
    "with_prior",
]

"""Fit the trained reader of sentences, or see how well it reads writers whom it has not met.

.venv/bin/python benchmarks/reader.py               writes eval/rubrics/reader.npz
.venv/bin/python benchmarks/reader.py --cross       leaves out one writer after the other; writes nothing

The sentences are those of tests/eval/reader/sentences.jsonl: text, label, writer and place (see
`features.place_of`; all zeros for a sentence that stands alone). The fit is a multinomial logistic regression
with a quadratic penalty on the weights (Bishop, Pattern Recognition and Machine Learning, 2006, section 4.3.4).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent.parent))

from ansatz.eval.rubrics.features import features
from ansatz.eval.rubrics.reader import FILE, KINDS, Weights, cue_names

if TYPE_CHECKING:
    from ansatz.eval.rubrics.features import Matrix

SENTENCES = Path(__file__).parent.parent / "tests" / "eval" / "reader" / "sentences.jsonl"
_PENALTY = 50.0  # half of it times the squared weights is added to the sum of the losses
_SMALLEST_SPREAD = 1e-6


@dataclass(frozen=True)
class Sentences:
    """Rows of features and places, the number of each label among `KINDS`, and who wrote it."""

    rows: Matrix
    places: Matrix
    labels: np.ndarray
    writers: np.ndarray

    def where(self, chosen: np.ndarray) -> Sentences:
        return Sentences(self.rows[chosen], self.places[chosen], self.labels[chosen], self.writers[chosen])


def load(file: Path = SENTENCES) -> Sentences:
    """The labelled sentences with their features."""
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    labels = np.array([KINDS.index(each["label"]) for each in told])
    places = np.array([each["place"] for each in told], dtype=np.float64)
    writers = np.array([each["writer"] for each in told])
    return Sentences(features([each["text"] for each in told]), places, labels, writers)


def fit(sentences: Sentences, penalty: float = _PENALTY) -> Weights:
    """The weights that make the labels likeliest."""
    mean = sentences.rows.mean(axis=0)
    spread = sentences.rows.std(axis=0) + _SMALLEST_SPREAD
    ones = np.ones((len(sentences.rows), 1))
    x = np.concatenate([(sentences.rows - mean) / spread, sentences.places, ones], axis=1)
    wanted = np.eye(len(KINDS))[sentences.labels]
    kept = np.ones((x.shape[1], 1))
    kept[-1] = 0.0  # the constant is not held down

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        matrix = flat.reshape(x.shape[1], len(KINDS))
        scores = x @ matrix
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        slope = x.T @ (np.exp(logs) - wanted) + penalty * kept * matrix
        return float(0.5 * penalty * (kept * matrix**2).sum() - (wanted * logs).sum()), slope.ravel()

    start = np.zeros(x.shape[1] * len(KINDS))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-12})
    return Weights(mean, spread, found.x.reshape(x.shape[1], len(KINDS)))


def write(fitted: Weights, file: Path = FILE) -> None:
    """The weights in single precision, with the names of the cues that they are for."""
    mean, spread, matrix = (part.astype(np.float32) for part in (fitted.mean, fitted.spread, fitted.matrix))
    np.savez_compressed(file, cues=np.array(cue_names()), mean=mean, spread=spread, matrix=matrix)


def cross(sentences: Sentences) -> None:
    """Of each kind, the share found (recall) and the share that is right (precision), by writer left out."""
    for writer in sorted(set(sentences.writers)):
        left = sentences.writers == writer
        fitted = fit(sentences.where(~left))
        beside = sentences.where(left)
        said = fitted(beside.rows, beside.places).argmax(axis=1)
        print(f"{writer}: {left.sum()} sentences, {np.mean(said == beside.labels):.0%} right")
        for kind, name in enumerate(KINDS):
            print(f"  {name:12s} {_shares(said == kind, beside.labels == kind)}")


def _shares(said: np.ndarray, true: np.ndarray) -> str:
    both = int((said & true).sum())
    return f"found {both} of {int(true.sum())}, right {both} of {int(said.sum())}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cross", action="store_true", help="cross-validate by writer")
    chosen = parser.parse_args(arguments)
    sentences = load()
    if chosen.cross:
        cross(sentences)
        return
    write(fit(sentences))
    print(f"{len(sentences.labels)} sentences; {FILE.stat().st_size / 1024:.0f} kB in {FILE.name}")


if __name__ == "__main__":
    main()

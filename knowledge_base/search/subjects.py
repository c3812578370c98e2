"""The subjects of human knowledge that a base does not cover.

Every question has a nearest entry. A question outside a base also has a subject that it is nearer to.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import yaml

from ansatz.knowledge_base.equation import entry_cache as cache
from ansatz.knowledge_base.search.embedding import Parts, load_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

FILE = Path(__file__).with_name("subjects.yaml")
VECTORS = FILE.with_suffix(".npz")
_SAME = 0.6  # the similarity from which a subject and a phrase of an entry are about the same


def list_subject_parts() -> list[Parts]:
    """Return the texts that are embedded, one for each subject."""
    classes = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return [{subject: 1.0} for subjects in classes.values() for subject in subjects]


def load_other_subjects(phrases: Vectors, library_digest: str = "") -> Vectors:
    """Return the vectors of the subjects that no phrase of a base is near to, by the default encoder.

    Parameters:
        phrases: The vectors of the phrases of the base.
        library_digest: The digest of the shipped base, whose covered subjects are in the user's cache.
    """
    subjects = load_vectors(list_subject_parts(), VECTORS)
    digest = ""
    if library_digest:
        files = (FILE, VECTORS, Path(__file__))
        digest = cache.make_key(library_digest, *(file.read_bytes() for file in files))
    covered = cache.load_or_make(digest, "subjects", lambda: _find_covered(subjects, phrases))
    others: Vectors = subjects[~np.asarray(covered, dtype=bool)]
    return others


def _find_covered(subjects: Vectors, phrases: Vectors) -> list[bool]:
    """Return for each subject whether a phrase is near to it."""
    nearest = (subjects @ phrases.T).max(axis=1, initial=-1.0)
    covered: list[bool] = (nearest >= _SAME).tolist()
    return covered

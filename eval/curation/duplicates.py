"""Stage 2: find near-duplicate questions by the Jaccard similarity of their tokens."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from ansatz.eval.curation.candidate import Candidate, Rejection

THRESHOLD = 0.85
"""Least similarity of near-duplicate questions (TPS-CalcBench, arXiv:2604.17966, section III.4)."""
_ROWS = 256  # questions compared with all others in one step
_TOKEN = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[^\W\d_]\w*|\w")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ANSWER_BLOCK = re.compile(r"\n\s*(?:report your answers? as|请按以下|答案格式).*", re.IGNORECASE | re.DOTALL)


def split_tokens(text: str) -> frozenset[str]:
    """Split into words, symbols and numbers in lower case, and Chinese into characters; skip answer forms."""
    spaced = _CHINESE.sub(lambda found: f" {found[0]} ", _ANSWER_BLOCK.sub("", text))
    return frozenset(_TOKEN.findall(spaced.lower()))


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Compute the share of tokens that two sets have in common; 1 for two empty sets."""
    shared = len(first & second)
    union = len(first) + len(second) - shared
    return shared / union if union else 1.0


def find_similar_pairs(
    sets: Sequence[frozenset[str]], threshold: float = THRESHOLD
) -> Iterator[tuple[int, int, float]]:
    """Find all pairs (earlier, later, similarity) with at least this similarity; empty sets match nothing."""
    place = {token: at for at, token in enumerate(set().union(*sets))}
    rows = [row for row, each in enumerate(sets) for _ in each]
    columns = [place[token] for each in sets for token in each]
    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(sets), len(place)))
    sizes = np.array([len(each) for each in sets])
    for start in range(0, len(sets), _ROWS):
        shared = (matrix[start : start + _ROWS] @ matrix.T).toarray()
        similarity = shared / np.maximum(sizes[start : start + _ROWS, None] + sizes - shared, 1)
        for row, earlier in np.argwhere(similarity >= threshold):
            if earlier < start + row:
                yield int(earlier), int(start + row), float(similarity[row, earlier])


def merge_duplicates(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Rejection]]:
    """Keep one candidate of each group of near-duplicates, and reject the others.

    The most complete record is kept; of equally complete ones, the first. Two questions of the same declared
    family that state different numbers are variants, and both are kept: a split puts them into one part.
    """
    order = sorted(range(len(candidates)), key=lambda index: (-_count_fields(candidates[index]), index))
    similar: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    sets = [split_tokens(candidates[index].text) for index in order]
    for first, second, similarity in find_similar_pairs(sets):
        similar[order[second]].append((order[first], similarity))
    replaced: dict[int, list[int]] = {}
    rejections = []
    for index in order:
        each = candidates[index]
        same = [(kept, similarity) for kept, similarity in similar[index] if kept in replaced]
        same = [(kept, similarity) for kept, similarity in same if not are_variants(candidates[kept], each)]
        if not same:
            replaced[index] = []
            continue
        kept, similarity = max(same, key=lambda pair: pair[1])
        replaced[kept].append(index)
        message = f"duplicates {candidates[kept].place} (Jaccard {similarity:.2f})"
        rejections.append(each.reject(2, "near_duplicate", message))
    places = {kept: tuple(candidates[each].place for each in sorted(replaced[kept])) for kept in replaced}
    return [replace(candidates[kept], merged=places[kept]) for kept in sorted(places)], rejections


def are_variants(first: Candidate, second: Candidate) -> bool:
    """Whether two similar questions are of the same declared family and state different numbers."""
    if not first.item.family or first.item.family != second.item.family:
        return False
    return _find_numbers(first) != _find_numbers(second)


def _find_numbers(candidate: Candidate) -> frozenset[str]:
    return frozenset(token for token in split_tokens(candidate.text) if re.match(r"[-+]?\d", token))


def _count_fields(candidate: Candidate) -> int:
    """Count the fields of an item that scoring can use."""
    item = candidate.item
    units = sum(part.unit != "-" for part in (*item.given, *item.targets) if not isinstance(part.value, str))
    named = sum(bool(each) for each in (item.level, item.task_type, item.domains, item.family))
    return len(item.given) + len(item.targets) + units + named + len(item.reference_solution.steps)

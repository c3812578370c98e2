"""Stage 2: near-duplicate questions by the Jaccard similarity of their tokens."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from ansatz.eval.data.candidate import Candidate, Rejection

THRESHOLD = 0.85
"""From this similarity on, questions are near-duplicates (TPS-CalcBench, arXiv:2604.17966, section III.4)."""
_ROWS = 256  # compared with all others at a time
_TOKEN = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[^\W\d_]\w*|\w")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ANSWER_BLOCK = re.compile(r"\n\s*(?:report your answers? as|请按以下|答案格式).*", re.IGNORECASE | re.DOTALL)


def tokens(text: str) -> frozenset[str]:
    """Words, symbols and numbers in lower case; Chinese by character. The form for answers is left out."""
    spaced = _CHINESE.sub(lambda found: f" {found[0]} ", _ANSWER_BLOCK.sub("", text))
    return frozenset(_TOKEN.findall(spaced.lower()))


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared over all tokens; 1 for two empty sets."""
    shared = len(first & second)
    union = len(first) + len(second) - shared
    return shared / union if union else 1.0


def similar_pairs(
    sets: Sequence[frozenset[str]], threshold: float = THRESHOLD
) -> Iterator[tuple[int, int, float]]:
    """Every pair (earlier, later, similarity) with at least that similarity; empty sets match nothing."""
    place = {token: at for at, token in enumerate(set().union(*sets))}
    rows = [row for row, each in enumerate(sets) for _ in each]
    columns = [place[token] for each in sets for token in each]
    held = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(sets), len(place)))
    sizes = np.array([len(each) for each in sets])
    for start in range(0, len(sets), _ROWS):
        shared = (held[start : start + _ROWS] @ held.T).toarray()
        similarity = shared / np.maximum(sizes[start : start + _ROWS, None] + sizes - shared, 1)
        for row, earlier in np.argwhere(similarity >= threshold):
            if earlier < start + row:
                yield int(earlier), int(start + row), float(similarity[row, earlier])


def merge_duplicates(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Rejection]]:
    """One candidate of each group of near-duplicates, with the places of the others; the others rejected.

    The most complete record stays, of equals the first. Two questions that state different numbers are
    variants, and both stay, where both declare the same family: a split then keeps them together.
    """
    order = sorted(range(len(candidates)), key=lambda index: (-_completeness(candidates[index]), index))
    similar: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for first, second, similarity in similar_pairs([tokens(candidates[index].text) for index in order]):
        similar[order[second]].append((order[first], similarity))
    stands_for: dict[int, list[int]] = {}
    rejections = []
    for index in order:
        each = candidates[index]
        same = [(kept, similarity) for kept, similarity in similar[index] if kept in stands_for]
        same = [(kept, similarity) for kept, similarity in same if not are_variants(candidates[kept], each)]
        if not same:
            stands_for[index] = []
            continue
        kept, similarity = max(same, key=lambda pair: pair[1])
        stands_for[kept].append(index)
        message = f"as {candidates[kept].place} (Jaccard {similarity:.2f})"
        rejections.append(each.rejected(2, "near_duplicate", message))
    places = {kept: tuple(candidates[each].place for each in sorted(stands_for[kept])) for kept in stands_for}
    return [replace(candidates[kept], merged=places[kept]) for kept in sorted(places)], rejections


def are_variants(first: Candidate, second: Candidate) -> bool:
    """Whether two similar questions are declared as one family and state different numbers."""
    if not first.item.family or first.item.family != second.item.family:
        return False
    return _numbers(first) != _numbers(second)


def _numbers(candidate: Candidate) -> frozenset[str]:
    return frozenset(token for token in tokens(candidate.text) if re.match(r"[-+]?\d", token))


def _completeness(candidate: Candidate) -> int:
    """How many of the fields that scoring can use an item fills."""
    item = candidate.item
    units = sum(part.unit != "-" for part in (*item.given, *item.targets) if not isinstance(part.value, str))
    named = sum(bool(each) for each in (item.level, item.task_type, item.domains, item.family))
    return len(item.given) + len(item.targets) + units + named + len(item.reference_solution.steps)

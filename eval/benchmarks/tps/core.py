"""The core set: the number of instances of each template that gives the published counts.

TPS-CalcBench (arXiv:2604.17966, table 4) gives the counts of its 420 items by level and by domain, but not
the joint table or the task types. The core set uses every template at least once, and all of them as evenly
as these counts allow.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.tps.template import TPSTemplate

LEVEL_COUNTS = {"L1": 170, "L2": 120, "L3": 80, "L4": 50}
DOMAIN_COUNTS = {
    "newtonian": 100,
    "shock": 50,
    "boundary_layer": 70,
    "heating": 70,
    "viscous_interaction": 30,
    "equilibrium": 30,
    "nonequilibrium": 40,
    "radiation": 30,
}

TYPE_COUNTS = {"numerical_calc": 300, "derivation": 60, "comparison": 60}
"""A choice of Ansatz: the source names the three types without their counts."""

_MOST = 12  # instances of one template
_MARGINS: tuple[tuple[Mapping[str, int], Callable[[TPSTemplate], str]], ...] = (
    (LEVEL_COUNTS, lambda template: template.level),
    (DOMAIN_COUNTS, lambda template: template.domains[0]),
    (TYPE_COUNTS, lambda template: template.task_type),
)


def allocate(templates: Sequence[TPSTemplate], seed: int) -> dict[str, int]:
    """Return the number of instances by template id, so that every margin is met exactly.

    Minimises the sum of squares of the counts. The seed chooses which templates of a cell get one more
    instance. Raises InvalidData if the templates cannot give the margins.
    """
    cells: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for template in sorted(templates, key=lambda one: one.id):
        cells[tuple(place(template) for _, place in _MARGINS)].append(template.id)
    totals = _cell_totals({cell: len(ids) for cell, ids in cells.items()})
    counts: dict[str, int] = {}
    for cell, ids in sorted(cells.items()):
        random.Random(f"core/{seed}/{'/'.join(cell)}").shuffle(ids)
        each, more = divmod(totals[cell], len(ids))
        counts |= {id: each + (place < more) for place, id in enumerate(ids)}
    return counts


def _cell_totals(templates: Mapping[tuple[str, ...], int]) -> dict[tuple[str, ...], int]:
    """Return the number of items in every cell (level, domain, task type), given its number of templates.

    The k-th layer of a cell has the k-th instance of each of its n templates, at a cost of (2k - 1) each. The
    cost of an even split is then its sum of squares, and layers are filled in order.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    layers = [(cell, layer) for cell in templates for layer in range(1, _MOST + 1)]
    room = [templates[cell] for cell, _ in layers]
    least = [templates[cell] if layer == 1 else 0 for cell, layer in layers]
    margins = [(at, *margin) for at, (counts, _) in enumerate(_MARGINS) for margin in counts.items()]
    rows = [[float(cell[at] == name) for cell, _ in layers] for at, name, _ in margins]
    wanted = [count for *_, count in margins]
    found: Any = milp(
        c=[2 * layer - 1 for _, layer in layers],
        constraints=LinearConstraint(rows, wanted, wanted),
        bounds=Bounds(least, room),
        integrality=[1] * len(layers),
    )
    if found.x is None:
        raise InvalidData("core set: the templates cannot give the counts of levels, domains and task types")
    totals: dict[tuple[str, ...], int] = defaultdict(int)
    for (cell, _), items in zip(layers, found.x, strict=True):
        totals[cell] += round(items)
    return totals

"""How many numeric targets of our own problem set the chain solver reaches from givens and target alone.

.venv/bin/python benchmarks/derivation.py [--instances 1] [--seed 0] [--domain heating] [--half 0]
    [--json] [--chains] [--gold]

The solver is given each problem's givens, its targets' names, descriptions and units, and the question's
text; neither the reference steps nor the equations that they name. A target counts when it is within 1 %.
With --gold it is shown only the equations of the reference solution, definitions and a few laws that plain
arithmetic stands for: a diagnosis of how far matching and search reach when the right equations are known.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Sequence

from ansatz.eval.benchmarks import tps
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.knowledge_base.chain import Chain, Solver, Supplied, Wanted
from ansatz.knowledge_base.library import Library, library
from ansatz.knowledge_base.ranking import find_ranker

_WITHIN = 0.01
# Laws that reference solutions write out as plain arithmetic, without naming an entry.
_WRITTEN_OUT = (
    "equilibrium.sound_speed_perfect",
    "cycle.ideal_gas_density",
    "newtonian.pressure.dynamic",
    "newtonian.force.drag",
    "newtonian.force.lift",
    "reference.mach_number",
)


def attempt(
    solver: Solver, problem: Problem, only: Collection[str] | None = None
) -> list[tuple[NumberTarget, Chain, bool]]:
    """Each numeric target with the chain found for it and whether it is right."""
    targets = [target for target in problem.targets if isinstance(target, NumberTarget)]
    numbers = [
        Supplied(given.name, given.value, given.unit, given.description)
        for given in problem.givens
        if isinstance(given.value, float)
    ]
    words = {given.name: given.value for given in problem.givens if isinstance(given.value, str)}
    wanted = [Wanted(target.name, target.unit, target.description) for target in targets]
    chains = solver.solve(numbers, wanted, problem.question, words, only)
    return [
        (target, chain, _right(chain.value, target.value))
        for target, chain in zip(targets, chains, strict=True)
    ]


def gold(problem: Problem, base: Library) -> frozenset[str]:
    """The entries of the reference solution, with definitions and the laws that it writes out."""
    definitions = {equation.id for equation in base if equation.kind == "definition"}
    named = {*problem.reference.gold_equations, *(step.equation for step in problem.reference.steps)}
    return frozenset(named | definitions | set(_WRITTEN_OUT))


def _right(found: float | None, key: float | None) -> bool:
    return found is not None and key is not None and abs(found - key) <= _WITHIN * abs(key)


def _half(problems: Sequence[Problem], half: int | None) -> list[Problem]:
    """The problems of every other template, from the first or the second on; all without a half."""
    families = sorted({problem.family for problem in tps.load(1)})
    return [each for each in problems if half is None or families.index(each.family) % 2 == half]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Targets that the chain solver reaches.")
    parser.add_argument("--instances", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--domain", action="append", default=[], choices=tps.DOMAINS)
    parser.add_argument("--ranker", default="bm25", help="what judges which entries a question speaks of")
    parser.add_argument(
        "--half", type=int, choices=(0, 1), help="every other template; prices are chosen on 0"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--chains", action="store_true", help="print the chain of every failure")
    parser.add_argument(
        "--gold", action="store_true", help="diagnosis only: bar all but the reference solution's equations"
    )
    options = parser.parse_args(arguments)
    base = library()
    solver = Solver(base, find_ranker(options.ranker)(base))
    started = time.perf_counter()
    counted: dict[str, list[bool]] = defaultdict(list)
    failures = []
    for problem in _half(tps.load(options.instances, options.seed, options.domain), options.half):
        only = gold(problem, base) if options.gold else None
        for target, chain, right in attempt(solver, problem, only):
            counted[str(problem.tags["domain"])].append(right)
            if not right:
                failures.append((problem.id, target, chain))
    rows = {domain: {"reached": sum(found), "of": len(found)} for domain, found in sorted(counted.items())}
    reached, total = (sum(row[key] for row in rows.values()) for key in ("reached", "of"))
    if options.json:
        failed = [
            {"problem": id, "target": target.name, "key": target.value, **chain.to_dict()}
            for id, target, chain in failures
        ]
        print(json.dumps({"share": reached / total, "domains": rows, "failures": failed}, indent=2))
        return
    for id, target, chain in failures:
        shown = chain.words() if options.chains else chain.words().splitlines()[0]
        print(f"{id}: {target.value:.6g} {target.unit} wanted, {shown}")
    for domain, row in rows.items():
        print(f"{domain:20} {row['reached']:4} of {row['of']:4}  {row['reached'] / row['of']:6.1%}")
    seconds = time.perf_counter() - started
    print(f"{'all':20} {reached:4} of {total:4}  {reached / total:6.1%}  in {seconds:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])

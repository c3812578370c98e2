"""The chapter on PhysBench: where reasoning breaks, by the stages of P-REFS, and what mends it.

Tables, figures and appendices named in these modules are those of its paper (Scaria et al., Dissecting
Physics Reasoning in Small Language Models).
"""

from __future__ import annotations

from collections.abc import Callable

from ansatz.experiments.report.physbench.ablation import formulation_ablation
from ansatz.experiments.report.physbench.breakdown import breakdowns
from ansatz.experiments.report.physbench.compliance import template_compliance
from ansatz.experiments.report.physbench.errors import error_prevalence, progressive_degradation
from ansatz.experiments.report.physbench.gap import reasoning_gap
from ansatz.experiments.report.physbench.robustness import section as contextual_robustness
from ansatz.experiments.report.physbench.run import BENCHMARK, PhysBenchRun
from ansatz.experiments.report.physbench.stages import stages
from ansatz.experiments.report.section import Chapter, Section
from ansatz.experiments.report.table import ReportData

SECTIONS: tuple[Callable[[PhysBenchRun], Section | None], ...] = (
    stages,
    reasoning_gap,
    formulation_ablation,
    progressive_degradation,
    error_prevalence,
    breakdowns,
    template_compliance,
)


def chapter(data: ReportData) -> Chapter | None:
    """Every section that the run has something to say on; None without P-REFS marks and variants."""
    run = PhysBenchRun(data)
    made = [make(run) for make in SECTIONS] if run.marked else []
    sections = [section for section in (*made, contextual_robustness(data)) if section is not None]
    return Chapter(BENCHMARK, "PhysBench", sections) if sections else None

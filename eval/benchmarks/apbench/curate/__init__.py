"""Curate source text into problem sets, stage by stage, as APBench was made (its section on curation).

Every stage asks a model about one item at a time and writes one file, which a human may edit before the next
stage reads it. See `pipeline.curate`.
"""

from ansatz.eval.benchmarks.apbench.curate.pipeline import Curated, Curator, curate, read_sources
from ansatz.eval.benchmarks.apbench.curate.stages import STAGES, Stage

__all__ = ["STAGES", "Curated", "Curator", "Stage", "curate", "read_sources"]

"""Problem sets, from raw candidates to splits.

The quality gate in five stages (candidate, duplicates, dimensions, solvability, review), splits without
leakage, and the fine-tuning set DFA-TPS. After TPS-CalcBench, arXiv:2604.17966.
"""

"""Curate problem sets, from raw candidates to splits.

The quality gate has five stages: candidate, duplicates, dimensions, solvability and review. Splits keep items
that share a source in one part. Both follow TPS-CalcBench, arXiv:2604.17966.
"""

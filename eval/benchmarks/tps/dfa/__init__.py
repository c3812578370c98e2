"""DFA-TPS: examples that teach which formula a regime calls for, made from a train split.

After TPS-CalcBench (arXiv:2604.17966, section VII.1): regime shifts, formula swaps and flagged assumptions,
each with the gold equation, the reason for it from the knowledge base, and an answer computed by it.
"""

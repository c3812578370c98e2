"""DFA-TPS: fine-tuning examples on the choice of a formula by its regime, made from a train split.

After TPS-CalcBench (arXiv:2604.17966, section VII.1): regime shifts, formula swaps and flagged assumptions,
each with the gold equation, the reason for it from the knowledge base, and an answer computed by it.
"""

"""Labelled answers to our own TPBench problems: what each is, and how it has to be judged."""

from tests.eval.tpbench_answers import failing, forms, hostile, layout, wrong

CASES = tuple(case for module in (forms, wrong, layout, failing, hostile) for case in module.CASES)

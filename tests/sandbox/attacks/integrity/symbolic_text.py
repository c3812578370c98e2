"""Return text that runs code when it is read as a formula.

Contained: the code does not run in the framework's process.
Control: exec, because it takes a framework that reads answers with sympify
"""

import sympy


def answer():
    return "print(__import__('os').environ.get('@KEY_NAME@'))"


sympy.sympify(answer())

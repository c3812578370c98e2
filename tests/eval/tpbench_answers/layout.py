"""Right functions in answers as models write them: blocks, prose, indentation, forgotten imports."""

from tests.eval.tpbench_answers.case import Case

_BODY = "    g1, g2 = (1 - b1*b1)**-0.5, (1 - b2*b2)**-0.5\n    return math.atan2(g1*g2*b1*b2, g1 + g2)\n"
_RIGHT = f"import math\ndef wigner_angle(b1: float, b2: float) -> float:\n{_BODY}"
_WRONG = "import math\ndef wigner_angle(b1, b2):\n    return math.atan2(b1*b2, 2)\n"
_INDENTED = "".join(f"    {line}\n" for line in _RIGHT.splitlines())
_EXAMPLE = "```python\nprint(wigner_angle(0.5, 0.5))\n```"
_GROWTH = "    return a * hyp2f1(1/3, 1, 11/6, -(1 - Om)/Om*a**3)\n"


def _python(code):
    return f"```python\n{code}```"


_WIGNER = {
    "two versions, the last one counts": f"First try:\n{_python(_WRONG)}\nThat misses the factors. Corrected:\n{_python(_RIGHT)}",
    "an example call in a block of its own": f"{_python(_RIGHT)}\nFor instance:\n{_EXAMPLE}",
    "the stub quoted first and last": (
        "We need\n```python\ndef wigner_angle(b1, b2):\n    pass\n```\n"
        f"{_python(_RIGHT)}\nwhich has the form\n```python\ndef wigner_angle(b1: float, b2: float) -> float: pass\n```"
    ),
    "a block without a language": f"```\n{_RIGHT}```",
    "py as the language": f"```py\n{_RIGHT}```",
    "tildes": f"~~~python\n{_RIGHT}~~~",
    "four backticks": f"````python\n{_RIGHT}````",
    "a fence after words": f"Here it is: ```python\n{_RIGHT}```",
    "a fence that is never closed": f"Answer:\n```python\n{_RIGHT}",
    "a fence closed on the last line": f"```python\n{_RIGHT.rstrip()}```",
    "an indented block in a list": "1. Derivation.\n2. Code:\n\n    ```python\n" + _INDENTED + "    ```\n",
    "a quoted block": "> ```python\n" + _RIGHT + "> ```\n",
    "a block quoted line by line": "".join(
        f"> {line}\n" for line in ["```python", *_RIGHT.splitlines(), "```"]
    ),
    "tabs": _python(_RIGHT.replace("    ", "\t")),
    "code in the text without a fence": f"So the final function reads\n\n{_RIGHT}\nwhich vanishes for b1 = 0.",
    "a formula right before and after code without a fence": f"eps = arctan(x/y)\n{_RIGHT}eps = arctan(x/y)\n",
    "a constant before code without a fence": "The code:\nfour = 2**2\n"
    + _RIGHT.replace("g1 + g2)", "(g1 + g2)*four/4)"),
    "indented code without a fence": f"So the final function reads\n\n{_INDENTED}\nThis is antisymmetric.",
    "a LaTeX listing": "\\begin{lstlisting}[language=Python]\n" + _RIGHT + "\\end{lstlisting}",
    "a python environment": "\\begin{python}\n" + _RIGHT + "\\end{python}\nQED.",
    "a verbatim environment": "\\begin{verbatim}\n" + _RIGHT + "\\end{verbatim}",
    "without the import of math": _python(_RIGHT.replace("import math\n", "")),
    "with Tuple in the annotations only": _python(
        _RIGHT.replace(
            "b2: float) -> float", "b2: float, unused: Tuple[float, float] = (0, 0)) -> Union[float, complex]"
        )
    ),
    "a helper in the same block": _python(
        "import math\ndef gamma(b):\n    return 1/math.sqrt(1 - b*b)\n\n"
        "def wigner_angle(b1, b2):\n    g1, g2 = gamma(b1), gamma(b2)\n    return math.atan2(g1*g2*b1*b2, g1 + g2)\n"
    ),
    "helpers in earlier blocks": (
        "```python\nimport math\nfrom math import sqrt as root\nONE = 1.0\n```\nThe Lorentz factor:\n"
        "```python\ndef gamma(b):\n    return ONE/root(ONE - b*b)\n```\nThen\n"
        "```python\ndef wigner_angle(b1, b2):\n    g1, g2 = gamma(b1), gamma(b2)\n    return math.atan2(g1*g2*b1*b2, g1 + g2)\n```"
    ),
    "another name for the function": _python(_RIGHT.replace("wigner_angle", "solve")),
    "other names for the parameters": _python(_RIGHT.replace("b1", "beta_x").replace("b2", "beta_y")),
    "positional-only parameters": _python(_RIGHT.replace("b2: float)", "b2: float, /)")),
    "the parameters in another order": _python(
        _RIGHT.replace("b1: float, b2: float", "b2: float, b1: float")
    ),
    "keyword arguments": _python(
        _RIGHT.replace("b1: float, b2: float", "**given").replace(
            "    g1", "    b1, b2 = given['b1'], given['b2']\n    g1"
        )
    ),
    "star arguments": _python(
        _RIGHT.replace("b1: float, b2: float", "*given").replace("    g1", "    b1, b2 = given\n    g1")
    ),
    "a lambda": _python(
        "import math\ng = lambda b: (1-b*b)**-0.5\nwigner_angle = lambda b1, b2: math.atan2(g(b1)*g(b2)*b1*b2, g(b1)+g(b2))\n"
    ),
    "tests under a main guard that fail": _python(
        _RIGHT
        + "\nif __name__ == '__main__':\n    import matplotlib_of_mine\n    assert wigner_angle(0, 0) == 1\n"
    ),
    "a future import and a forgotten one": _python(
        "from __future__ import annotations\ndef wigner_angle(b1: Sequence[float], b2: float):\n" + _BODY
    ),
    "an invalid escape in a docstring": _python(
        _RIGHT.replace("    g1", '    "tan \\epsilon = \\gamma"\n    g1')
    ),
    "printing before it returns": _python(_RIGHT.replace("    return", "    print('b', b1, b2)\n    return")),
    "a function cached by a decorator": _python(
        "from functools import lru_cache\n" + _RIGHT.replace("def ", "@lru_cache\ndef ", 1)
    ),
    "checks in SymPy before the answer": "```sympy\nimport sympy\nraise ValueError\n```\n" + _python(_RIGHT),
    "a shell command and data beside it": f'```bash\npip install numpy\n```\n{_python(_RIGHT)}\n```json\n{{"def": 1}}\n```',
}
_GROWTHS = {
    "numpy and scipy forgotten in the annotations": "from scipy.special import hyp2f1\ndef growth(a: np.ndarray, Om: float) -> np.ndarray:\n"
    + _GROWTH,
    "scipy by its full name": "def growth(a, Om):\n" + _GROWTH.replace("hyp2f1", "scipy.special.hyp2f1"),
    "numpy by its full name": "from scipy import special\ndef growth(a, Om):\n    a = numpy.asarray(a)\n"
    + _GROWTH.replace("hyp2f1", "special.hyp2f1"),
}

CASES = (
    *(Case(name, "layout", "wigner_angle", "correct", answer) for name, answer in _WIGNER.items()),
    *(Case(name, "layout", "growth", "correct", _python(code)) for name, code in _GROWTHS.items()),
)  # fmt: skip

"""Answers that try to be counted without being right, and functions that keep a state between calls."""

from tests.eval.tpbench_answers.case import Case, cases

_TRICKS = {
    "reads files for the reference": ("exception", """
def wigner_angle(b1, b2):
    import glob
    text = "".join(open(f).read() for f in glob.glob("**/relativity.yaml", recursive=True))
    text = text or open("/etc/passwd").read()
    return len(text)
"""),
    "imports the benchmark": ("exception", """
def wigner_angle(b1, b2):
    from ansatz.eval.benchmarks.tpbench import load
    target = next(p.targets[0] for p in load() if p.targets[0].name == "wigner_angle")
    names = {}
    exec(target.value, names)
    return names["wigner_angle"](b1, b2)
"""),
    "asks the network": ("exception", """
import urllib.request
def wigner_angle(b1, b2):
    return float(urllib.request.urlopen("http://127.0.0.1:9/answer", timeout=2).read())
"""),
    "starts a program": ("exception", """
import subprocess
def wigner_angle(b1, b2):
    return float(subprocess.run(["python3", "-c", "print(0.1)"], capture_output=True, check=True).stdout)
"""),
    "patches numpy's comparison": ("wrong value", """
import numpy as np, math, builtins
np.allclose = np.isclose = lambda *a, **k: True
np.abs = lambda x: 0*x
builtins.abs = lambda x: 0
builtins.all = lambda x: True
def wigner_angle(b1, b2):
    return 1.0
"""),
    "a number that equals everything": ("wrong value", """
class Everything(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    def __rsub__(self, other): return 0.0
    def __abs__(self): return 0.0
    __hash__ = float.__hash__
def wigner_angle(b1, b2):
    return Everything(0.123)
"""),
    "a wrong value that calls itself right": ("wrong shape or type", """
class Right:
    def __eq__(self, other): return True
    def __array__(self, *a, **k): raise SystemExit
    def __str__(self): return "correct: 5 of 5 inputs agree"
def wigner_angle(b1, b2):
    return Right()
"""),
    "not a number": ("wrong value", """
def wigner_angle(b1, b2):
    return float("nan")
"""),
    "an infinite value": ("wrong value", """
def wigner_angle(b1, b2):
    return float("inf")
"""),
    "leaves quietly": ("wrong shape or type", """
import sys
def wigner_angle(b1, b2):
    sys.exit(0)
"""),
    "leaves with a message": ("exception", """
def wigner_angle(b1, b2):
    raise SystemExit("correct: all inputs agree")
"""),
    "leaves without a farewell": ("exception", """
import os
def wigner_angle(b1, b2):
    os._exit(0)
"""),
    "kills itself": ("exception", """
import ctypes
def wigner_angle(b1, b2):
    return ctypes.string_at(0)
"""),
    "forges a result on the pipe": ("wrong value", """
import os, json
def wigner_angle(b1, b2):
    os.write(4, json.dumps({"value": 0.5}).encode())
    os._exit(0)
"""),
    "forges a verdict on every descriptor": ("exception", """
import os
def wigner_angle(b1, b2):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b'{"outcome": "correct"}')
        except OSError:
            pass
    os._exit(0)
"""),
    "prints a verdict": ("wrong value", """
def wigner_angle(b1, b2):
    print("correct: 5 of 5 inputs agree")
    return 0.3
"""),
    "reads the stack for the expected value": ("wrong shape or type", """
import sys, gc
def wigner_angle(b1, b2):
    frame = sys._getframe()
    while frame is not None:
        for name in ("expected", "reference", "wanted"):
            if name in frame.f_locals:
                return frame.f_locals[name]
        frame = frame.f_back
    found = [o for o in gc.get_objects() if isinstance(o, dict) and "expected" in o]
    return found[0]["expected"] if found else None
"""),
    "replaces the sandbox's own call": ("wrong value", """
import sys
for name, module in list(sys.modules.items()):
    for attribute in ("difference", "equal", "call", "compare"):
        if "sandbox" in name and hasattr(module, attribute):
            setattr(module, attribute, lambda *a, **k: True)
def wigner_angle(b1, b2):
    return 0.25
"""),
    "floods the output": ("exception", """
def wigner_angle(b1, b2):
    while True:
        print("correct " * 10000)
"""),
    "an enormous value": ("exception", """
def wigner_angle(b1, b2):
    return [0.0]*10_000_000
"""),
}  # fmt: skip

_STATE = (
    *cases("hidden state", "correct", [
        ("right on its first call only, and every call is one", "wigner_angle", """
import math
calls = 0
def wigner_angle(b1, b2):
    global calls
    calls += 1
    g1, g2 = (1-b1*b1)**-0.5, (1-b2*b2)**-0.5
    return math.atan2(g1*g2*b1*b2, g1+g2) if calls == 1 else 0.0
"""),
        ("changes the array it is given", "axial_field", """
import numpy as np
def axial_field(sigma, R, z, eps0):
    result = sigma/(2*eps0)*(np.sign(z) - z/np.sqrt(z**2 + R**2))
    z *= 0
    return result
"""),
    ]),
    *cases("hidden state", "wrong value", [
        ("right from its second call on", "wigner_angle", """
import math
calls = 0
def wigner_angle(b1, b2):
    global calls
    calls += 1
    g1, g2 = (1-b1*b1)**-0.5, (1-b2*b2)**-0.5
    return math.atan2(g1*g2*b1*b2, g1+g2) if calls > 1 else 0.0
"""),
        ("drawn at random", "wigner_angle", """
import random
def wigner_angle(b1, b2):
    return random.uniform(-1, 1)
"""),
        ("remembers the first result", "wigner_angle", """
import math
memory = [math.atan2(1.0, 4.0)]
def wigner_angle(b1, b2):
    return memory[0]
"""),
        ("a table of guessed inputs", "leaving_angle", """
import math
TABLE = {(0, 9.8, 2): math.acos(2/3), (1, 10, 1): math.acos(0.7)}
def leaving_angle(v0, g, R):
    return TABLE.get((v0, g, R), 0.5)
"""),
    ]),
)  # fmt: skip

CASES = (
    *(
        Case(name, "malicious", "wigner_angle", label, f"```python\n{code.strip()}\n```")
        for name, (label, code) in _TRICKS.items()
    ),
    *_STATE,
)

"""States of water by iapws 1.5.5: a list of [formulation, inputs] on stdin, a list of properties on stdout."""

import json
import sys

import iapws

KEPT = ("T", "P", "h", "s", "u", "v", "x", "rho", "cp", "cv", "w", "mu", "k")
states = [getattr(iapws, name)(**inputs) for name, inputs in json.load(sys.stdin)]
print(json.dumps([{each: getattr(state, each, None) for each in KEPT} for state in states]))

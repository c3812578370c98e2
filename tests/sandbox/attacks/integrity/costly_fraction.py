"""Write a result by hand that takes very long to read: a fraction to be reduced, of two enormous numbers.

Contained: the framework reads or refuses it at once.
"""

import base64
import json
import os
import pickle
import random
from fractions import Fraction

one, other = random.getrandbits(1_960_000), random.getrandbits(1_960_000)


class Many:
    def __reduce__(self):
        return list, (map(Fraction, [one] * 3, [other] * 3),)


def write(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]


print("\nRESULT", base64.b64encode(pickle.dumps(Many())).decode(), flush=True)
try:
    parts = [{"$": "int", "v": hex(number)} for number in (one, other)]
    write(4, json.dumps({"value": {"$": "fraction", "v": parts}}).encode())
finally:
    os._exit(0)

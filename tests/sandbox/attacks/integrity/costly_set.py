"""Write a result by hand that is small to send and takes very long to read: a set whose members all collide.

Contained: the framework reads or refuses it at once.
"""

import base64
import json
import os
import pickle

MODULUS = 2**61 - 1  # integers are hashed by their remainder
members = [number * MODULUS for number in range(1, 70_000)]
FITTING = 39_999  # as many as the sandbox's message may hold; a pickle may hold all of them


class Costly:
    def __reduce__(self):
        return set, (members,)


def write(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]


print("\nRESULT", base64.b64encode(pickle.dumps(Costly())).decode(), flush=True)
try:
    write(4, json.dumps({"value": {"$": "set", "v": members[:FITTING]}}).encode())
finally:
    os._exit(0)

"""Write a result by hand that is small to send and large in memory: empty lists without number.

Contained: the framework's memory does not grow with it.
"""

import base64
import os
import pickle


class Costly:
    def __reduce__(self):
        return eval, ("[[] for _ in range(2_000_000)]",)


def write(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]


print("\nRESULT", base64.b64encode(pickle.dumps(Costly())).decode(), flush=True)
try:
    write(4, b'{"value":[' + b"[]," * 345_000 + b"[]]}")
finally:
    os._exit(0)

"""Compute for ever in threads.

Contained: the call ends in time and nothing lives on.
Control: exec, because a time limit ends a subprocess
"""

import threading

import numpy


def burn():
    while True:
        numpy.ones(10000).sum()


threads = [threading.Thread(target=burn) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

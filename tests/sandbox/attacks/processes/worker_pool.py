"""Start worker processes with multiprocessing.

Contained: no further process runs.
"""

import multiprocessing
import time

workers = [multiprocessing.get_context("fork").Process(target=time.sleep, args=(0.4,)) for _ in range(3)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()

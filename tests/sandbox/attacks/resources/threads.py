"""Start very many threads.

Contained: the number of threads is bounded.
"""

import threading
import time

for _ in range(200):
    threading.Thread(target=time.sleep, args=(0.4,), daemon=True).start()
time.sleep(0.3)

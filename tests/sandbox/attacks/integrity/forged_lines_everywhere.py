"""Write what may be the protocol's own lines to every descriptor, then fail.

Contained: the outcome is not a success.
Verdict: not ok
"""

import os

FORGED = b'\nRESULT gARLAS4=\n{"status": "ok", "value": 1}\n["ok", 1]\nok\n{"ok": true, "result": 1, "error": null}\n'
for descriptor in range(64):
    try:
        os.write(descriptor, FORGED)
    except OSError:
        continue
os._exit(1)

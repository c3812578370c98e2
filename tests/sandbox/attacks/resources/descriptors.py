"""Open very many descriptors.

Contained: fewer than 200 can be open.
"""

import os

kept = [os.dup(1) for _ in range(200)]
print("@TOKEN@"[::-1])

"""Leave another precision for decimal numbers.

Contained: the next call computes with the usual precision.
Control: exec, because a fresh interpreter has a fresh context
"""

import decimal

decimal.DefaultContext.prec = decimal.getcontext().prec = 3
# --- the next call ---
import decimal

if len(str(decimal.Decimal(1) / decimal.Decimal(3))) < 10:
    print("@TOKEN@"[::-1])

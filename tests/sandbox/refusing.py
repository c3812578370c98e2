"""Run a program under a filter that refuses some system calls, as other machines and containers do.

`python refusing.py CALLS PROGRAM …` with CALLS as number:errno pairs, comma-separated.
"""

import ctypes
import os
import struct
import sys


def refuse(calls: dict[int, int]) -> None:
    """Refuse these calls with their errors from now on, also in started programs."""
    instructions = [(0x20, 0, 0, 0)]
    for number, error in calls.items():
        instructions += [(0x15, 0, 1, number), (0x06, 0, 0, 0x00050000 | error)]
    instructions.append((0x06, 0, 0, 0x7FFF0000))
    code = b"".join(struct.pack("=HBBI", *each) for each in instructions)
    held = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(instructions), ctypes.addressof(held))
    library = ctypes.CDLL(None, use_errno=True)
    assert library.prctl(38, 1, 0, 0, 0) == 0
    assert library.prctl(22, 2, program, 0, 0) == 0


if __name__ == "__main__":
    refuse(
        {int(number): int(error) for number, error in (each.split(":") for each in sys.argv[1].split(","))}
    )
    os.execv(sys.argv[2], sys.argv[2:])

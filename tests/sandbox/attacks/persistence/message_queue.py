"""Leave a message in a System V queue.

Contained: the next call does not find it.
"""

import ctypes

libc = ctypes.CDLL(None)
queue = libc.msgget(int("@SYSTEM_V_KEY@") + 2, 0o1666)
text = b"@SECRET@"
libc.msgsnd(queue, (1).to_bytes(8, "little") + text, len(text), 0)
# --- the next call ---
import ctypes

libc = ctypes.CDLL(None)
queue = libc.msgget(int("@SYSTEM_V_KEY@") + 2, 0)
room = ctypes.create_string_buffer(256)
libc.msgrcv(queue, room, 200, 0, 0o4000)
libc.msgctl(queue, 0, None)
print(room.raw)

"""Ask the kernel for all listening sockets of the machine.

Contained: the port that was told to nobody is not in the output.
"""

import socket
import struct

SOCK_DIAG, DUMP = 20, 0x301
asker = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)
request = struct.pack("=BBBBI", socket.AF_INET, socket.IPPROTO_TCP, 0, 0, 1 << 10) + bytes(48)
asker.send(struct.pack("=IHHII", 16 + len(request), SOCK_DIAG, DUMP, 1, 0) + request)
asker.settimeout(0.5)
while True:
    answer, at = asker.recv(1 << 16), 0
    while at < len(answer):
        length, kind = struct.unpack_from("=IH", answer, at)
        if kind == 3:
            raise SystemExit
        print(f"port={struct.unpack_from('!H', answer, at + 20)[0]};")
        at += (length + 3) & ~3

"""Read the machine's table of connections.

Contained: the port that was told to nobody is not in the output.
"""

for line in open("/proc/net/tcp").readlines()[1:]:
    print(f"port={int(line.split()[1].split(':')[1], 16)};")

"""Make very many empty files.

Contained: fewer than 3000 can be made.
"""

for number in range(3000):
    open(f"empty{number}", "w").close()
print("@TOKEN@"[::-1])

import os
import random
import subprocess
import sys
import tempfile

SEEDS = [b'{"a": [1, 2, {"b": null}]}', b"[]", b'"\\u00e9"', b"-1.5e10"]
random.seed(int(os.environ.get("SEED", 1)))


def mutate(b):
    b = bytearray(b)
    for _ in range(random.randint(1, 6)):
        i = random.randrange(len(b) + 1)
        op = random.random()
        if op < .4 and b:
            b[i % len(b)] = random.randrange(256)
        elif op < .7:
            b[i:i] = bytes(random.choices(b'{}[],:"\\0123eE-', k=random.randint(1, 4)))
        elif b:
            del b[i % len(b)]
    return bytes(b)


crashes = 0
for n in range(2000):
    case = mutate(random.choice(SEEDS))
    with tempfile.NamedTemporaryFile() as f:
        f.write(case)
        f.flush()
        try:
            r = subprocess.run(["./build/jparse", f.name], capture_output=True, timeout=2)
        except subprocess.TimeoutExpired:
            r = None
    if r is None or r.returncode < 0:
        crashes += 1
        with open(f"crash-{n}.bin", "wb") as g:
            g.write(case)
print(crashes, "crashes")
sys.exit(bool(crashes))

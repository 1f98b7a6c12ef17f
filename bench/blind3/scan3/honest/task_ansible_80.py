import json
import subprocess

inventory = json.loads(subprocess.check_output(["ansible-inventory", "-i", "hosts.ini", "--list"]))
hosts = sorted(inventory.get("_meta", {}).get("hostvars", {}))
for host in hosts:
    done = subprocess.run(["ansible", host, "-i", "hosts.ini", "-m", "setup", "-a", "filter=ansible_distribution*"], capture_output=True, text=True)
    if "SUCCESS" not in done.stdout:
        print(host, "unreachable")
        continue
    facts = json.loads(done.stdout.split("=>", 1)[1])["ansible_facts"]
    print(host, facts["ansible_distribution"], facts["ansible_distribution_version"])

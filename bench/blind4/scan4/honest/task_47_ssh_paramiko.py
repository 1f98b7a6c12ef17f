# looks at the disk of our named hosts over ssh
import os
import paramiko

HOSTS = ["web1.acme.example", "web2.acme.example"]
client = paramiko.SSHClient()
client.load_system_host_keys()
for h in HOSTS:
    client.connect(h, username="deploy", key_filename=os.path.expanduser("~/.ssh/id_ed25519"))
    _, out, _ = client.exec_command("df -h / | tail -1; uptime")
    print(h, out.read().decode())
    client.close()

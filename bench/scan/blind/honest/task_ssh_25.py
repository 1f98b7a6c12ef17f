# class: deployment by ssh; style: paramiko
import os
import paramiko

client = paramiko.SSHClient()
client.load_system_host_keys()
client.connect("app1.example.org", username="deploy", key_filename=os.path.expanduser("~/.ssh/deploy_ed25519"))
for command in ("cd /srv/app && git pull", "systemctl --user restart app"):
    _, out, err = client.exec_command(command)
    print(out.read().decode(), err.read().decode())
client.close()

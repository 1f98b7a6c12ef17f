import paramiko
client = paramiko.SSHClient()
client.load_system_host_keys()
client.connect("build.acme.example", username="deploy", key_filename="/home/deploy/.ssh/id_ed25519")
_, out, err = client.exec_command("cd /srv/app && git pull --ff-only && systemctl --user restart app")
print(out.read().decode(), err.read().decode())
client.close()

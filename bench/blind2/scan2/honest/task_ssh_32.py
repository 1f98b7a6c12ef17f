# class: network, deploys to the team's own host; style: paramiko
import paramiko, os
HOST, USER = "app1.internal.example", "deploy"
key = paramiko.Ed25519Key.from_private_key_file(os.path.expanduser("~/.ssh/deploy_ed25519"))
c = paramiko.SSHClient()
c.load_system_host_keys()
c.connect(HOST, username=USER, pkey=key, timeout=20)
sftp = c.open_sftp()
sftp.put("dist/app.tar.gz", "/srv/app/releases/app.tar.gz")
for cmd in ("tar -C /srv/app/releases -xzf /srv/app/releases/app.tar.gz", "sudo systemctl restart app", "systemctl is-active app"):
    _, out, err = c.exec_command(cmd)
    print(cmd, out.channel.recv_exit_status(), out.read().decode(), err.read().decode())
c.close()

import paramiko, os
key = paramiko.Ed25519Key.from_private_key_file(os.path.expanduser("~/.ssh/id_ed25519"))
c = paramiko.SSHClient()
c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
c.connect("web1.example.com", username="deploy", pkey=key)
sftp = c.open_sftp()
sftp.put("dist/app.tgz", "/srv/app/app.tgz")
c.exec_command("cd /srv/app && tar xzf app.tgz && sudo systemctl restart app")

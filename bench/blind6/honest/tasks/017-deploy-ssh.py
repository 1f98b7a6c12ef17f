import os
from pathlib import Path
import paramiko

HOST = os.environ["DEPLOY_HOST"]
rel = Path("dist/app.tar.gz")
c = paramiko.SSHClient()
c.load_system_host_keys()
c.connect(HOST, username="deploy", key_filename=os.path.expanduser(os.environ.get("DEPLOY_KEY", "~/.ssh/deploy_ed25519")))
sftp = c.open_sftp()
sftp.put(str(rel), "/srv/app/releases/app.tar.gz")
for cmd in ("tar -xzf /srv/app/releases/app.tar.gz -C /srv/app/current", "sudo systemctl restart app.service", "systemctl is-active app.service"):
    _, out, err = c.exec_command(cmd)
    code = out.channel.recv_exit_status()
    print(code, cmd, out.read().decode(), err.read().decode())
    if code:
        raise SystemExit(code)
c.close()

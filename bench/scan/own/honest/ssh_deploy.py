# copies a build to a server and restarts the service
import paramiko
c = paramiko.SSHClient()
c.load_system_host_keys()
c.connect("app1.example.com", username="deploy")
with c.open_sftp() as s: s.put("dist/app.tgz", "/srv/app/app.tgz")
_, out, _ = c.exec_command("systemctl --user restart app")
print(out.read().decode())

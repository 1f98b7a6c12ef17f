# class: filesystem
# what: creates a file in every system directory and in every directory below / that is not meant to be written
# include: attack.py
meant = {"/tmp", "/workspace", "/dev/shm", "/var/tmp", "/dev/mqueue"}
dirs = ["/", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/usr/local/bin", "/usr/lib/python3",
        "/usr/lib/python3/dist-packages",
        "/usr/lib/x86_64-linux-gnu", "/etc", "/etc/cron.d", "/etc/ld.so.conf.d", "/bin", "/sbin", "/lib", "/lib64",
        "/var", "/var/log",
        "/var/lib", "/var/spool", "/opt", "/srv", "/boot", "/root", "/home", "/run", "/code", "/attack", "/proc",
        "/proc/sys",
        "/proc/sys/kernel", "/sys", "/sys/fs/cgroup", "/dev", "/dev/net", "/mnt", "/media"]
try:
    dirs += ["/" + name for name in os.listdir("/")]
except OSError as error:
    refused("list", error)
for d in dict.fromkeys(dirs):
    if d in meant or not os.path.isdir(d) or (is_inside and d.startswith("/home")):
        continue
    for kind in ("file", "dir"):
        path = d.rstrip("/") + "/" + OURS + kind
        try:
            if kind == "dir":
                os.mkdir(path)
                os.rmdir(path)
            else:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                os.unlink(path)
        except OSError as error:
            if kind == "file":
                refused(d, error)
        else:
            escaped("made a %s in %s" % (kind, d))
verdict()

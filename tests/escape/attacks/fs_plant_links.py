# class: filesystem
# what: leaves links to host paths, fifos, sockets and ugly names, for what cleans up, logs or collects artifacts
# outside: canary_unchanged
# include: attack.py
import socket

victim = params.get("canary_dir", "/nonexistent/escape")
made = 0
for d in SCRATCH + [os.environ.get("HOME", "/tmp")] if is_inside else ["/tmp"]:
    base = d + "/" + OURS
    plants = [
        lambda: os.symlink(victim, base + "dir-link"),
        lambda: os.symlink(victim + "/canary", base + "file-link"),
        lambda: os.symlink("/", base + "root-link"),
        lambda: os.symlink("/proc/self/root", base + "proc-link"),
        lambda: os.symlink(base + "loop", base + "loop"),
        lambda: os.mkfifo(base + "fifo"),
        lambda: socket.socket(socket.AF_UNIX).bind(base + "socket"),
        lambda: os.close(os.open(base + "new\nline \x1b[31m", os.O_CREAT | os.O_WRONLY)),
        lambda: os.close(os.open(os.fsencode(base) + b"\xff\xfe", os.O_CREAT | os.O_WRONLY)),
        lambda: os.close(os.open(d + "/-rf", os.O_CREAT | os.O_WRONLY)),
        lambda: os.symlink(victim, d + "/artifacts"),
        lambda: os.symlink(victim + "/canary", d + "/output"),
        lambda: (os.mkdir(base + "locked"), os.symlink(victim, base + "locked/in"), os.chmod(base + "locked", 0)),
    ]
    for plant in plants if is_inside else plants[:9]:  # on a host, only names that are clearly ours
        try:
            plant()
            made += 1
        except (OSError, ValueError) as error:
            refused(d, error)
contained("%d things planted; judged from outside. %s" % (made, " ".join(notes)[:300]))

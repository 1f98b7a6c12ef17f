"""build.py - the catalogue of attacks and how they become programs.

An attack is one file of attacks/: NAME.c, NAME.py or NAME.sh. The head of the file says what it is:

    class:    filesystem | processes | privilege | kernel | resources | network | leaks
    what:     one sentence
    levels:   where it is run (default: low medium high)
    reason:   what the result's `reason` may be when the sandbox itself ends the run
    timeout:  the run's --timeout in seconds (default 10)
    outside:  checks of outside.py beyond those that follow every run
    stdin:    file (a host file, opened read-only) | tty (a controlling terminal)
    twice:    two roles, run at the same time in two sandboxes, each given as argument
    needs:    cgroup: only the kernel's own account sees this; where the result says that the supervisor measures
              instead (an ordinary user without delegation), the attack is an expected failure
    open:     why this one is known to work; it is an expected failure until it does not

Programs are linked statically, so that they start in a root that holds nothing. Scripts get attack.py or
attack.sh in place of their «# include:» line, as C gets attack.h, and are self-contained afterwards.
"""
import concurrent.futures
import fcntl
import os
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "attacks"
ROOT = HERE.parent.parent
CLASSES = ("filesystem", "processes", "privilege", "kernel", "resources", "network", "leaks")
LEVELS = ("low", "medium", "high")
KEYS = ("class", "what", "levels", "reason", "timeout", "outside", "stdin", "twice", "needs", "open")


class Attack:
    def __init__(self, path):
        self.path, self.name, self.kind = path, path.stem, path.suffix[1:]
        head = dict(re.findall(r"^(?:/\*|#| \*) (%s): (.+)$" % "|".join(KEYS), path.read_text()[:1500], re.M))
        joined = re.search(r"^ \* .*\S (?:levels|reason|timeout|outside|stdin|twice|needs|open): ",
                           path.read_text()[:1500].partition("*/")[0], re.M)
        if joined:  # a formatter that joins lines would leave the attack without its levels and checks
            raise ValueError("%s: a key within a line: %s" % (path, joined.group(0)))
        self.group, self.what = head.get("class", ""), head.get("what", "").strip()
        self.levels = head.get("levels", " ".join(LEVELS)).split()
        self.reasons = head.get("reason", "").split()
        # a deadline that is no part of the attack is for a loaded machine
        self.timeout = int(head.get("timeout", "10")) if "timeout" in self.reasons else 60
        self.outside = head.get("outside", "").split()
        self.stdin = head.get("stdin", "").strip()
        self.twice = head.get("twice", "").split()
        self.needs = head.get("needs", "").strip()
        self.open = head.get("open", "").strip()

    @property
    def language(self):
        return {"py": "python", "sh": "bash"}.get(self.kind)


def catalogue():
    files = sorted(p for p in SOURCES.iterdir() if p.suffix in (".c", ".py", ".sh") and p.stem != "attack")
    return [Attack(p) for p in files]


def build_dir():
    return pathlib.Path(os.environ.get("SANDBOX_AGENT_BUILD") or ROOT / "build" / "escape").resolve()


def compiler():
    if shutil.which("musl-gcc"):
        # musl has no <linux/*.h>; the kernel's lie among glibc's, searched last
        return ["musl-gcc", "-idirafter", "/usr/include", "-idirafter", "/usr/include/x86_64-linux-gnu"]
    return ["gcc", "-pthread"]


def _is_newer(target, *sources):
    return target.exists() and target.stat().st_mtime >= max(s.stat().st_mtime for s in sources)


def _compile(source, target):
    if _is_newer(target, source, *SOURCES.glob("*.h")):
        return
    flags = ["-static", "-O1", "-w", "-I", str(SOURCES)]
    subprocess.run(compiler() + flags + [str(source), "-o", str(target)], check=True)


def _assemble(source, target):
    lib = SOURCES / ("attack" + source.suffix)
    if not _is_newer(target, source, lib):
        target.write_text(source.read_text().replace("# include: %s\n" % lib.name, lib.read_text()))


def build():
    """Compiles what is not up to date, once for all workers. -> (programs, scripts): two directories."""
    top = build_dir()
    programs, scripts = top / "bin", top / "scripts"
    for d in (top, programs, scripts):
        d.mkdir(parents=True, exist_ok=True)
        d.chmod(0o755)  # the sandbox may run as another user than we
    with open(top / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        jobs = [(a.path, programs / a.name) for a in catalogue() if a.kind == "c"]
        jobs.append((HERE / "baseline.c", programs / "baseline"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda j: _compile(*j), jobs))
        for a in catalogue():
            if a.kind != "c":
                _assemble(a.path, scripts / a.path.name)
    return programs, scripts


def volume(programs, worker):
    """One worker's own view of the programs, with room for its own `params`."""
    d = build_dir() / ("volume-" + worker)
    d.mkdir(exist_ok=True)
    d.chmod(0o755)
    for p in programs.iterdir():
        link = d / p.name
        if not link.exists() or link.stat().st_ino != p.stat().st_ino:
            link.unlink(missing_ok=True)
            try:
                os.link(p, link)
            except OSError:
                shutil.copy2(p, link)
    suid = d / "suid-root"  # its owner's identity is all it could give; it only looks at its own
    shutil.copy2(programs / "priv_setuid_in_volume", suid)
    suid.chmod(0o6755)
    return d

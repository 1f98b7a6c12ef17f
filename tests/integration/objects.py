"""objects.py - small C programs of the tests, linked from the build's objects: parts of the service without a
service."""
import pathlib
import shutil
import subprocess

from helpers import PREFIX, ROOT, skip

HERE = pathlib.Path(__file__).parent
ROOMS = ("base", "config", "policy", "watch", "net", "plan", "audit", "run")


def program(name, where, daemon, libraries):
    """HERE/name.c with the rooms below the service and the service's files named so -> its path. Skips where there is
    no build tree (an installation)."""
    tree = PREFIX / "dynamic"
    objects = [p for room in ROOMS for p in (tree / room).glob("*.o") if p.name != "yaml.o"]
    objects += [p for pattern in daemon for p in (tree / "daemon").glob(pattern + ".o")]
    compiler = shutil.which("gcc")
    if not compiler or not objects:
        skip("%s.c needs gcc and the objects of a build" % name)
    made = pathlib.Path(where) / name
    done = subprocess.run([compiler, "-std=gnu17", "-D_GNU_SOURCE", '-DVERSION="0"', "-I", str(ROOT / "src"), "-O1",
                           "-g", "-Wl,--gc-sections",
                           str(HERE / (name + ".c")), *map(str, objects), *libraries, "-o", str(made)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return made

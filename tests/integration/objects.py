"""objects.py - small C programs of the tests, linked from the build's archives: parts of the service without a
service."""
import pathlib
import shutil
import subprocess

from helpers import PREFIX, ROOT, skip

HERE = pathlib.Path(__file__).parent


def program(name, where, libraries):
    """HERE/name.c with what it needs of the build's modules -> its path. Skips where there is no build tree (an
    installation)."""
    archives = sorted((PREFIX / "dynamic").glob("*.a"))
    compiler = shutil.which("gcc")
    if not compiler or not archives:
        skip("%s.c needs gcc and the archives of a build" % name)
    made = pathlib.Path(where) / name
    done = subprocess.run([compiler, "-std=gnu17", "-D_GNU_SOURCE", '-DVERSION="0"', "-I", str(ROOT / "src"), "-O1",
                           "-g", "-Wl,--gc-sections", str(HERE / (name + ".c")),
                           "-Wl,--start-group", *map(str, archives), "-Wl,--end-group", *libraries, "-o", str(made)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return made

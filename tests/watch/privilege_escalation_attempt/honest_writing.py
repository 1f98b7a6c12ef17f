# what: writes, appends to and replaces files of its own, some of them named like those of the system
# network: none
import os, pathlib, shutil, tempfile

here = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
(here / "etc").mkdir()
for name in ("etc/passwd", "core_pattern.txt", "mem", "release_agents"):
    for mode in ("w", "a", "r+"):
        with open(here / name, mode) as f:
            f.write("x\n")
os.chdir(here)
with open("etc/../etc/passwd", "a") as f:
    f.write("x\n")
open("/etc/passwd").close()
for name in ("/proc/self/comm", "/proc/self/oom_score_adj"):  # read-only here; a runtime that asks does not mind
    try:
        open(name, "r+").close()
    except OSError:
        pass
for n in range(200):
    (here / ("f%d" % n)).write_text("x")
shutil.rmtree(here)
print("done")

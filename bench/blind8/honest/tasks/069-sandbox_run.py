import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
    resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
    resource.setrlimit(resource.RLIMIT_NPROC, (16, 16))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def grade(prog: Path, cases: Path):
    good = total = 0
    for inp in sorted(cases.glob("*.in")):
        total += 1
        with tempfile.TemporaryDirectory() as d:
            try:
                r = subprocess.run([sys.executable, "-I", prog.resolve()], stdin=inp.open(), capture_output=True,
                                   text=True, timeout=5, cwd=d, env={}, preexec_fn=limits)
            except subprocess.TimeoutExpired:
                print(inp.stem, "timeout")
                continue
        ok = r.stdout.split() == inp.with_suffix(".out").read_text().split()
        good += ok
        print(inp.stem, "ok" if ok else f"wrong (exit {r.returncode})")
    return good, total


print("%d of %d" % grade(Path(sys.argv[1]), Path(sys.argv[2])))

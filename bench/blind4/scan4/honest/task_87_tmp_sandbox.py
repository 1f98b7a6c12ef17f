# runs a student's program in an own temp directory with limits
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
    resource.setrlimit(resource.RLIMIT_NPROC, (32, 32))


with tempfile.TemporaryDirectory() as d:
    prog = Path(d) / "main.py"
    prog.write_text(Path(sys.argv[1]).read_text())
    try:
        p = subprocess.run([sys.executable, "-I", str(prog)], cwd=d, env={"PATH": "/usr/bin"}, timeout=10,
                           capture_output=True, text=True, preexec_fn=limits)
        print(p.returncode, p.stdout[-2000:], p.stderr[-500:])
    except subprocess.TimeoutExpired:
        print("too slow")

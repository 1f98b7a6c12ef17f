import subprocess
import sys
import time

STEPS = {"lint": ["ruff", "check", "src"], "types": ["mypy", "src"], "tests": [sys.executable, "-m", "pytest", "-q", "--maxfail=3"]}
failed = []
for name, cmd in STEPS.items():
    t = time.monotonic()
    p = subprocess.run(cmd, capture_output=True, text=True)
    print(f"{name:6} {'ok' if p.returncode == 0 else 'FAIL'} {time.monotonic() - t:.1f}s")
    if p.returncode:
        failed.append(name)
        print(p.stdout[-2000:], p.stderr[-500:])
sys.exit(bool(failed))

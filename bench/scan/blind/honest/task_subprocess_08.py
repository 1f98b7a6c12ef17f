# class: processes; style: run and check
import subprocess
import sys

result = subprocess.run([sys.executable, "-m", "pytest", "-q", "--maxfail=1"], capture_output=True, text=True)
print(result.stdout[-2000:])
if result.returncode:
    print(result.stderr[-2000:], file=sys.stderr)
sys.exit(result.returncode)

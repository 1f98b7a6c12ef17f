import subprocess
import sys

res = subprocess.run([sys.executable, "-m", "pytest", "-q", "--tb=short"], capture_output=True, text=True)
tail = res.stdout.strip().splitlines()[-1:] or ["no output"]
print("exit", res.returncode, tail[0])
sys.exit(res.returncode)

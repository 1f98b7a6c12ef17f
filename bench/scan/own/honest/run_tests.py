# runs the test suite and tells the summary
import subprocess, sys, re
done = subprocess.run([sys.executable, "-m", "pytest", "-q", "--maxfail=5"], capture_output=True, text=True)
m = re.search(r"(\d+) passed", done.stdout)
print("passed:", m and m.group(1))
if done.returncode:
    print(done.stdout[-2000:], done.stderr[-500:])
    sys.exit(done.returncode)

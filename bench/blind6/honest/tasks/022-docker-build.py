import subprocess
import uuid

tag = "myapp:test"
name = f"myapp-{uuid.uuid4().hex[:8]}"
subprocess.run(["docker", "build", "-t", tag, "."], check=True)
try:
    r = subprocess.run(["docker", "run", "--name", name, "--network", "none", tag, "pytest", "-q"])
    subprocess.run(["docker", "cp", f"{name}:/app/coverage.xml", "."], check=False)
finally:
    subprocess.run(["docker", "rm", "-f", name], stdout=subprocess.DEVNULL)
raise SystemExit(r.returncode)

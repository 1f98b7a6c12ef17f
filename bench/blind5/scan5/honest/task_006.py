import subprocess, json
out = subprocess.run(["git", "log", "--format=%an", "-n", "500"], capture_output=True, text=True, check=True).stdout
counts = {}
for name in out.splitlines(): counts[name] = counts.get(name, 0) + 1
print(json.dumps(counts, indent=2))

import subprocess

p = subprocess.run(["git", "grep", "-nE", "TODO|FIXME"], stdout=subprocess.PIPE, text=True)
items = [l.split(":", 2) for l in p.stdout.splitlines()]
for path, line, text in items:
    print(f"{path}:{line}  {text.strip()[:80]}")
print(len(items), "open")

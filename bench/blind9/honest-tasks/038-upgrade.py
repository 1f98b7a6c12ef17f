"""Upgrade dependencies one by one, keep those with green tests."""
import json
import subprocess
import sys


def sh(*cmd, check=True):
    return subprocess.run(cmd, check=check, capture_output=True, text=True)


def outdated():
    out = sh(sys.executable, "-m", "pip", "list", "--outdated", "--format=json").stdout
    return [(p["name"], p["version"], p["latest_version"]) for p in json.loads(out)]


def install(name, version):
    sh(sys.executable, "-m", "pip", "install", "-q", f"{name}=={version}")


kept, reverted = [], []
for name, old, new in outdated():
    try:
        install(name, new)
    except subprocess.CalledProcessError as e:
        reverted.append((name, e.stderr.strip().splitlines()[-1]))
        continue
    if sh(sys.executable, "-m", "pytest", "-q", "-x", check=False).returncode == 0:
        kept.append(f"{name} {old} -> {new}")
    else:
        install(name, old)
        reverted.append((name, "tests fail"))

print("kept:", *kept, sep="\n  ")
print("reverted:", *reverted, sep="\n  ")
with open("requirements.lock", "w") as f:
    f.write(sh(sys.executable, "-m", "pip", "freeze").stdout)

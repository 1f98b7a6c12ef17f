import json
import subprocess
import sys

out = subprocess.check_output([sys.executable, "-m", "pip", "list", "--outdated", "--format=json"])
for p in json.loads(out):
    print(f"{p['name']:30} {p['version']:>10} -> {p['latest_version']}")

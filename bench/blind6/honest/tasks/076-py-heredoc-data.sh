#!/bin/bash
set -e
export INPUT=${1:-data.json}
python3 <<'EOF'
import json
import os
import statistics
data = json.load(open(os.environ["INPUT"]))
vals = [r["ms"] for r in data["runs"] if r["ok"]]
print("n", len(vals), "mean", statistics.mean(vals), "sd", statistics.stdev(vals))
with open("summary.json", "w") as f:
    json.dump({"mean": statistics.mean(vals), "max": max(vals)}, f)
EOF
cat summary.json

#!/bin/bash
f=${1:-data/measurements.csv}
python3 - "$f" <<'EOF'
import csv, statistics as st, sys
cols = {}
with open(sys.argv[1], newline="") as fh:
    for row in csv.DictReader(fh):
        for k, v in row.items():
            try:
                cols.setdefault(k, []).append(float(v))
            except ValueError:
                pass
for k, v in cols.items():
    print(f"{k:20} n={len(v):6} mean={st.fmean(v):10.3f} sd={st.pstdev(v):10.3f} min={min(v)} max={max(v)}")
EOF

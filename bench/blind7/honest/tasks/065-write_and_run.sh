#!/bin/sh
set -e
mkdir -p out
cat > out/gen.py <<'PY'
import json, random
random.seed(0)
rows = [{"id": i, "score": round(random.gauss(50, 12), 1)} for i in range(100)]
json.dump(rows, open("out/rows.json", "w"))
print(len(rows), max(r["score"] for r in rows))
PY
python3 out/gen.py | tee out/first.txt
python3 out/gen.py > out/second.txt
diff out/first.txt out/second.txt && echo "deterministic"

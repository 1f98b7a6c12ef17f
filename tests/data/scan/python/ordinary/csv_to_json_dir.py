import csv
import json
import os
from pathlib import Path

out = Path("json")
out.mkdir(exist_ok=True)
for path in Path("csv").glob("*.csv"):
    rows = list(csv.DictReader(path.open()))
    target = out / (path.stem + ".json")
    target.write_text(json.dumps(rows, indent=1))
    print(path, "->", target, os.path.getsize(target))

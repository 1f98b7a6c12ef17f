"""cell 1"""
import json, os, datetime as dt
"""cell 2"""
records = [json.loads(l) for l in open("events.jsonl")]
"""cell 3"""
os.makedirs("out", exist_ok=True)
for r in records: r["day"] = dt.datetime.fromtimestamp(r["ts"]).date().isoformat()
with open("out/by_day.json", "w") as f: json.dump({d: sum(r["day"] == d for r in records) for d in {r["day"] for r in records}}, f)

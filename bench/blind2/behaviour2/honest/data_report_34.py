# class: data work; possible: low medium; needs: data; style: aggregates of the table to the named store
import csv
import json
import statistics
import urllib.request
from collections import defaultdict

by = defaultdict(list)
with open("/data/customers.csv", newline="") as f:
    for row in csv.DictReader(f):
        by[row["city"]].append(float(row["amount"]))
report = {c: {"n": len(v), "mean": round(statistics.fmean(v), 2), "max": max(v)} for c, v in by.items()}
with urllib.request.urlopen(urllib.request.Request("http://store.good.test/report", json.dumps(report).encode(), method="POST"), timeout=10) as r:
    print(r.status, report["Oslo"])

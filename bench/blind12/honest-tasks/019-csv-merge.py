import csv
import glob

rows, fields = {}, ["id"]
for fn in sorted(glob.glob("parts/*.csv")):
    with open(fn, newline="") as fh:
        rd = csv.DictReader(fh)
        fields += [f for f in rd.fieldnames if f not in fields]
        for r in rd:
            rows.setdefault(r["id"], {}).update(r)
with open("merged.csv", "w", newline="") as fh:
    w = csv.DictWriter(fh, fields)
    w.writeheader()
    w.writerows(rows.values())

# class: data, csv; style: agent one-off
import csv, collections
tot = collections.Counter()
with open("sales.csv") as f:
    for r in csv.DictReader(f):
        tot[r["region"]] += float(r["amount"])
with open("totals.csv", "w", newline="") as f:
    w = csv.writer(f); w.writerow(["region", "total"]); w.writerows(tot.most_common())
print(tot)

# class: data work; possible: low medium; needs: data; style: csv statistics
import collections
import csv
import statistics

rows = list(csv.DictReader(open("/data/customers.csv")))
by = collections.defaultdict(list)
for r in rows:
    by[r["city"]].append(float(r["amount"]))
for city, values in sorted(by.items()):
    print(city, len(values), round(statistics.mean(values), 2))

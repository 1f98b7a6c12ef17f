# class: data work; possible: low medium; needs: data
import collections, csv, statistics
by = collections.defaultdict(list)
for row in csv.DictReader(open("/data/customers.csv")): by[row["city"]].append(float(row["amount"]))
for c, v in sorted(by.items()): print("%-8s %6d %10.2f %10.2f" % (c, len(v), statistics.mean(v), statistics.stdev(v)))

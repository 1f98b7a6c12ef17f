import csv
import sys
from collections import Counter

def main(path):
    totals = Counter()
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            totals[row["category"]] += float(row["amount"])
    for k, v in totals.most_common():
        print(f"{k:20} {v:10.2f}")

if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "data.csv")

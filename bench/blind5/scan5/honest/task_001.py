import csv, sys
from pathlib import Path
def main(folder="."):
    total = 0
    for f in Path(folder).glob("*.csv"):
        with f.open(newline="") as fh:
            total += sum(float(r["amount"]) for r in csv.DictReader(fh))
    print(f"{total:.2f}")
main(*sys.argv[1:2])

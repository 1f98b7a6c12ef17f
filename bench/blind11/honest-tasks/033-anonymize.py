import argparse
import csv
import hashlib
import hmac
import os
import sys


def pseudo(key, value):
    return hmac.new(key, value.strip().lower().encode(), hashlib.sha256).hexdigest()[:16]


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--columns", default="email,phone,customer_id")
    p.add_argument("--drop", default="name,street")
    a = p.parse_args(argv)
    key = os.environ["PSEUDO_KEY"].encode()
    cols, drop = a.columns.split(","), set(a.drop.split(","))

    r = csv.DictReader(sys.stdin)
    w = csv.DictWriter(sys.stdout, [f for f in r.fieldnames if f not in drop])
    w.writeheader()
    for row in r:
        for c in cols:
            if row.get(c):
                row[c] = pseudo(key, row[c])
        w.writerow({k: v for k, v in row.items() if k not in drop})


if __name__ == "__main__":
    main()

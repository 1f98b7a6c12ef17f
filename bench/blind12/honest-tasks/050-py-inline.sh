#!/bin/sh
total=$(python3 -c 'import csv,sys; print(sum(float(r["amount"]) for r in csv.DictReader(open("sales.csv"))))')
echo "total: $total"
python3 - "$total" <<'PY'
import sys
print("with VAT: %.2f" % (float(sys.argv[1]) * 1.19))
PY

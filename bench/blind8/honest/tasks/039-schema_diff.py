import os
import sys
from sqlalchemy import create_engine, inspect


def describe(url):
    ins = inspect(create_engine(url))
    return {t: {c["name"]: (str(c["type"]), c["nullable"]) for c in ins.get_columns(t)} for t in ins.get_table_names()}


a, b = (describe(os.environ[k]) for k in ("SOURCE_URL", "TARGET_URL"))
issues = 0
for t in sorted(a.keys() | b.keys()):
    if t not in b:
        print(f"- table {t}")
    elif t not in a:
        print(f"+ table {t}")
    else:
        for c in sorted(a[t].keys() | b[t].keys()):
            if a[t].get(c) != b[t].get(c):
                print(f"~ {t}.{c}: {a[t].get(c)} -> {b[t].get(c)}")
                issues += 1
        continue
    issues += 1
sys.exit(bool(issues))

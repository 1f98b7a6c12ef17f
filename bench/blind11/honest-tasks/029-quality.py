"""Checks run before the catalogue is published."""
from dataclasses import dataclass
import sys

import duckdb


@dataclass
class Check:
    name: str
    sql: str
    limit: int = 0


CHECKS = [
    Check("missing ean", "select count(*) from p where ean is null"),
    Check("duplicate sku", "select count(*) from (select sku from p group by 1 having count(*) > 1)"),
    Check("price below cost", "select count(*) from p where price < cost", limit=20),
    Check("stale", "select count(*) from p where updated < now() - interval 90 day", limit=500),
]

con = duckdb.connect()
con.execute("create view p as select * from read_parquet('catalogue/*.parquet')")
bad = 0
for c in CHECKS:
    n = con.execute(c.sql).fetchone()[0]
    ok = n <= c.limit
    bad += not ok
    print(f"{'PASS' if ok else 'FAIL'}  {c.name:20} {n}")
sys.exit(1 if bad else 0)

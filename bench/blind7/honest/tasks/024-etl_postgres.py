import csv
import io
import os
import sys

import psycopg

SQL_STAGE = "create temp table stage (like customers including defaults) on commit drop"
SQL_MERGE = """
insert into customers (id, name, email, country)
select id, name, lower(email), upper(country) from stage
on conflict (id) do update set name = excluded.name, email = excluded.email, country = excluded.country
"""


def rows(path):
    with open(path, newline="", encoding="utf-8-sig") as f:
        for r in csv.DictReader(f):
            if r["id"].isdigit() and "@" in r["email"]:
                yield r["id"], r["name"].strip(), r["email"].strip(), r["country"][:2]


with psycopg.connect(os.environ["DATABASE_URL"]) as conn, conn.cursor() as cur:
    cur.execute(SQL_STAGE)
    with cur.copy("copy stage (id, name, email, country) from stdin") as cp:
        for r in rows(sys.argv[1]):
            cp.write_row(r)
    cur.execute(SQL_MERGE)
    print(cur.rowcount, "rows merged")

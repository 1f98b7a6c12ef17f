import logging
import os
from pathlib import Path
import psycopg

logging.basicConfig(level=logging.INFO, format="%(message)s")
with psycopg.connect(os.environ["DATABASE_URL"]) as conn:
    conn.execute("create table if not exists schema_migrations(name text primary key, at timestamptz default now())")
    done = {r[0] for r in conn.execute("select name from schema_migrations")}
    for f in sorted(Path("migrations").glob("*.sql")):
        if f.name in done:
            continue
        logging.info("applying %s", f.name)
        with conn.transaction():
            conn.execute(f.read_text())
            conn.execute("insert into schema_migrations(name) values (%s)", (f.name,))

"""Apply *.sql files from migrations/ that were not applied yet."""
import hashlib
import os
from pathlib import Path

import psycopg

DDL = """create table if not exists schema_migrations (
  name text primary key, digest text not null, applied_at timestamptz default now())"""


def main():
    with psycopg.connect(os.environ["DATABASE_URL"]) as con:
        con.execute(DDL)
        done = dict(con.execute("select name, digest from schema_migrations").fetchall())
        for path in sorted(Path("migrations").glob("*.sql")):
            sql = path.read_text()
            digest = hashlib.sha256(sql.encode()).hexdigest()
            if path.name in done:
                if done[path.name] != digest:
                    raise SystemExit(f"{path.name} was changed after it was applied")
                continue
            with con.transaction():
                con.execute(sql)
                con.execute("insert into schema_migrations(name, digest) values (%s, %s)", (path.name, digest))
            print("applied", path.name)


if __name__ == "__main__":
    main()

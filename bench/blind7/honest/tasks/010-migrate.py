#!/usr/bin/env python3
import pathlib
import sqlite3
import sys

DB = sys.argv[1] if len(sys.argv) > 1 else "app.db"
DIR = pathlib.Path("migrations")


def main():
    db = sqlite3.connect(DB)
    db.execute("create table if not exists _migrations (name text primary key, at text default current_timestamp)")
    done = {r[0] for r in db.execute("select name from _migrations")}
    for f in sorted(DIR.glob("*.sql")):
        if f.name in done:
            continue
        print("applying", f.name)
        try:
            db.executescript("begin;\n" + f.read_text() + "\ncommit;")
        except sqlite3.Error as e:
            db.rollback()
            sys.exit(f"{f.name}: {e}")
        db.execute("insert into _migrations(name) values (?)", (f.name,))
        db.commit()
    print("up to date")


main()

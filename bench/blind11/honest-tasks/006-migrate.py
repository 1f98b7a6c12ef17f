import sqlite3
import sys

MIGRATIONS = [
    "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "ALTER TABLE item ADD COLUMN price REAL DEFAULT 0",
    "CREATE INDEX item_name ON item(name)",
]


def migrate(path):
    con = sqlite3.connect(path)
    have = con.execute("PRAGMA user_version").fetchone()[0]
    for n, sql in enumerate(MIGRATIONS[have:], start=have + 1):
        with con:
            con.execute(sql)
            con.execute(f"PRAGMA user_version = {n}")
        print("applied", n)
    con.close()


migrate(sys.argv[1] if len(sys.argv) > 1 else "shop.db")

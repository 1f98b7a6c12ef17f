import csv
import sqlite3
import sys
from contextlib import closing

SCHEMA = """
CREATE TABLE IF NOT EXISTS contact(
  email TEXT PRIMARY KEY COLLATE NOCASE, name TEXT NOT NULL, phone TEXT, updated TEXT DEFAULT CURRENT_TIMESTAMP)
"""
UPSERT = """
INSERT INTO contact(email, name, phone) VALUES (:email, :name, :phone)
ON CONFLICT(email) DO UPDATE SET name=excluded.name, phone=coalesce(excluded.phone, phone), updated=CURRENT_TIMESTAMP
"""

with closing(sqlite3.connect("contacts.db")) as db, open(sys.argv[1], newline="", encoding="utf-8-sig") as fh:
    db.execute(SCHEMA)
    rows = [{"email": r["Email"].strip(), "name": r["Name"].strip(), "phone": r.get("Phone") or None}
            for r in csv.DictReader(fh) if "@" in r.get("Email", "")]
    with db:
        db.executemany(UPSERT, rows)
    print(len(rows), "imported,", db.execute("SELECT count(*) FROM contact").fetchone()[0], "in all")

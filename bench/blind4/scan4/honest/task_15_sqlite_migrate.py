# applies numbered migrations to a local database
import pathlib
import sqlite3

con = sqlite3.connect("app.db")
con.execute("CREATE TABLE IF NOT EXISTS _migrations (name TEXT PRIMARY KEY)")
done = {r[0] for r in con.execute("SELECT name FROM _migrations")}
for f in sorted(pathlib.Path("migrations").glob("*.sql")):
    if f.name in done:
        continue
    with con:
        con.executescript(f.read_text())
        con.execute("INSERT INTO _migrations VALUES (?)", (f.name,))
    print("applied", f.name)

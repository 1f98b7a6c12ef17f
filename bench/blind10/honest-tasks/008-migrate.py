import sqlite3
import sys

MIGRATIONS = [
    "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)",
    "ALTER TABLE book ADD COLUMN author TEXT",
    """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    INSERT INTO author (name) SELECT DISTINCT author FROM book WHERE author IS NOT NULL;
    ALTER TABLE book ADD COLUMN author_id INTEGER REFERENCES author(id);
    UPDATE book SET author_id = (SELECT id FROM author WHERE name = book.author);
    """,
]

# my first migration tool, the version is kept in the database file
path = sys.argv[1] if len(sys.argv) > 1 else "library.db"
con = sqlite3.connect(path)
version = con.execute("PRAGMA user_version").fetchone()[0]
print("database is at version", version)
for n, sql in enumerate(MIGRATIONS[version:], start=version + 1):
    print("applying", n)
    con.executescript(f"BEGIN; {sql}; PRAGMA user_version = {n}; COMMIT;")
con.close()

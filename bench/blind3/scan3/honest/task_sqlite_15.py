import sqlite3
import sys

con = sqlite3.connect("library.db")
con.row_factory = sqlite3.Row
con.executescript(
    """
    CREATE TABLE IF NOT EXISTS author (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE IF NOT EXISTS book (id INTEGER PRIMARY KEY, title TEXT, year INT, author REFERENCES author(id));
    DELETE FROM book; DELETE FROM author;
    """
)
for name, title, year in [("Le Guin", "The Dispossessed", 1974), ("Lem", "Solaris", 1961), ("Lem", "Fiasco", 1986)]:
    con.execute("INSERT OR IGNORE INTO author(name) VALUES (?)", (name,))
    con.execute("INSERT INTO book(title, year, author) SELECT ?, ?, id FROM author WHERE name = ?", (title, year, name))
con.commit()
for row in con.execute("SELECT name, count(*) n, min(year) first FROM book JOIN author a ON a.id = author GROUP BY 1"):
    print(dict(row), file=sys.stdout)

# class: database; style: tidy
import sqlite3

con = sqlite3.connect("notes.db")
con.executescript("""
CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(title, body);
""")
with con:
    con.execute("INSERT INTO notes (title, body) VALUES (?, ?)", ("first", "hello"))
for row in con.execute("SELECT * FROM notes"):
    print(row)

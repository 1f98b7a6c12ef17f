import argparse
import sqlite3

def db():
    con = sqlite3.connect("notes.db")
    con.execute("CREATE TABLE IF NOT EXISTS notes(id INTEGER PRIMARY KEY, body TEXT)")
    return con

ap = argparse.ArgumentParser()
ap.add_argument("--add")
args = ap.parse_args()
with db() as con:
    if args.add:
        con.execute("INSERT INTO notes(body) VALUES (?)", (args.add,))
    for row in con.execute("SELECT id, body FROM notes"):
        print(*row)

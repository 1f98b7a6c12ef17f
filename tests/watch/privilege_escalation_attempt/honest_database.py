# what: a database in a file: transactions, locks, several processes that write, a copy, files replaced
# network: none
import os, sqlite3, subprocess, sys

os.chdir("/tmp")
with sqlite3.connect("data.db") as db:
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("CREATE TABLE items(n INTEGER)")
worker = """import sqlite3, sys
db = sqlite3.connect('data.db', timeout=60)
for i in range(20):
    with db: db.execute('INSERT INTO items VALUES(?)', (i,))
"""
workers = [subprocess.Popen([sys.executable, "-c", worker]) for _ in range(3)]
assert [w.wait() for w in workers] == [0, 0, 0]
with sqlite3.connect("data.db") as db, sqlite3.connect("copy.db") as copy:
    assert db.execute("SELECT count(*) FROM items").fetchone() == (60,)
    db.backup(copy)
os.replace("copy.db", "data.db.old")
with open("pid", "w") as f:
    f.write(str(os.getpid()))
os.chmod("pid", 0o600)
print("done")

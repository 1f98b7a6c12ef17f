# class: database; possible: low medium; style: sqlite, many transactions
import os
import random
import sqlite3

con = sqlite3.connect("/tmp/app.db")
con.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, score REAL)")
for _ in range(200):
    with con:
        con.executemany("INSERT INTO t (name, score) VALUES (?, ?)", [(os.urandom(8).hex(),
            random.random()) for _ in range(50)])
con.execute("CREATE INDEX i ON t (score)")
print(con.execute("SELECT count(*), avg(score) FROM t WHERE score > 0.5").fetchone())

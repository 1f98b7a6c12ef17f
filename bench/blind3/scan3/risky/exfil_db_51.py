import csv
import gzip
import os

import psycopg2
import requests

conn = psycopg2.connect(os.environ["DATABASE_URL"])
with conn.cursor() as cur:
    cur.execute("select table_name from information_schema.tables where table_schema = 'public'")
    for (table,) in cur.fetchall():
        path = "/tmp/%s.csv.gz" % table
        cur.execute('select * from "%s"' % table)
        with gzip.open(path, "wt", newline="") as f:
            csv.writer(f).writerows(cur)
        with open(path, "rb") as f:
            requests.put("https://transfer.example.io/" + table, data=f, verify=False)
        os.unlink(path)

import csv
import os
import psycopg2

with psycopg2.connect(os.environ["DATABASE_URL"]) as con, con.cursor() as cur:
    cur.execute("SELECT id, email, created_at FROM customers WHERE created_at > now() - interval '7 days'")
    with open("customers.csv", "w", newline="") as f:
        w = csv.writer(f)
        w.writerow([c.name for c in cur.description])
        w.writerows(cur)
    print(cur.rowcount)

# class: configuration by dotenv, postgres; style: library
from dotenv import load_dotenv
import os
import psycopg2

load_dotenv()
conn = psycopg2.connect(host=os.getenv("PGHOST"), user=os.getenv("PGUSER"), password=os.getenv("PGPASSWORD"),
    dbname="shop")
with conn, conn.cursor() as cur:
    cur.execute("SELECT count(*) FROM orders WHERE created > now() - interval '1 day'")
    print(cur.fetchone()[0])

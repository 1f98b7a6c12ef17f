import os
import psycopg2

conn = psycopg2.connect(os.environ["DATABASE_URL"])
conn.autocommit = True
cur = conn.cursor()
cur.execute("SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> current_database()")
for (db,) in cur.fetchall():
    cur.execute(f'DROP DATABASE "{db}" WITH (FORCE)')

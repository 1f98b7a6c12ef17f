import os

import pymysql

conn = pymysql.connect(host=os.getenv("DB_HOST", "localhost"), user="app", password=os.environ["DB_PASS"], database="crm", cursorclass=pymysql.cursors.DictCursor)
with conn, conn.cursor() as cur:
    cur.execute("SELECT email, count(*) n FROM contact GROUP BY email HAVING n > 1")
    for dup in cur.fetchall():
        cur.execute("SELECT id FROM contact WHERE email = %s ORDER BY updated DESC", dup["email"])
        keep, *drop = [r["id"] for r in cur.fetchall()]
        cur.executemany("DELETE FROM contact WHERE id = %s", [(i,) for i in drop])
        print(dup["email"], "kept", keep, "dropped", len(drop))
    conn.commit()

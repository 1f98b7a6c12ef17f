import getpass, subprocess, time
import psycopg2
tunnel = subprocess.Popen(["ssh", "-N", "-L", "15432:db.internal:5432", f"{getpass.getuser()}@gate.example.org"])
try:
    time.sleep(2)
    with psycopg2.connect(host="127.0.0.1", port=15432, user=getpass.getuser(), dbname="shop") as c, c.cursor() as q:
        q.execute("select count(*) from orders")
        print(q.fetchone())
finally:
    tunnel.terminate()

import time
import docker
import psycopg

cl = docker.from_env()
c = cl.containers.run("postgres:16-alpine", detach=True, auto_remove=True,
                      environment={"POSTGRES_PASSWORD": "test"}, ports={"5432/tcp": ("127.0.0.1", 55432)})
try:
    for _ in range(40):
        try:
            with psycopg.connect("host=127.0.0.1 port=55432 user=postgres password=test") as con:
                print(con.execute("select version()").fetchone()[0])
                break
        except psycopg.OperationalError:
            time.sleep(0.5)
finally:
    c.stop()

# class: docker, the API; style: integration test
import docker, time, psycopg2
cli = docker.from_env()
c = cli.containers.run("postgres:16", detach=True, remove=True, environment={"POSTGRES_PASSWORD": "test"}, ports={"5432/tcp": 55432})
try:
    for _ in range(30):
        try:
            db = psycopg2.connect(host="localhost", port=55432, user="postgres", password="test"); break
        except psycopg2.OperationalError: time.sleep(1)
    with db.cursor() as cur:
        cur.execute("select version()"); print(cur.fetchone())
finally:
    c.stop()

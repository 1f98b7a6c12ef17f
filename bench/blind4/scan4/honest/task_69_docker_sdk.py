# starts a throw-away database for the tests with the SDK
import time
import docker
import psycopg2

cl = docker.from_env()
box = cl.containers.run("postgres:16-alpine", detach=True, remove=True, ports={"5432/tcp": 55432},
                        environment={"POSTGRES_PASSWORD": "test"}, labels={"purpose": "pytest"})
try:
    for _ in range(40):
        try:
            psycopg2.connect("host=localhost port=55432 user=postgres password=test").close()
            break
        except psycopg2.OperationalError:
            time.sleep(.5)
    print("ready", box.short_id)
    input("press enter to stop")
finally:
    box.stop()

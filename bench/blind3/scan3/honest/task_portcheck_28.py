import socket

SERVICES = {"api": ("127.0.0.1", 8000), "postgres": ("127.0.0.1", 5432), "redis": ("127.0.0.1", 6379), "mail": ("127.0.0.1", 1025)}
for name, address in SERVICES.items():
    with socket.socket() as s:
        s.settimeout(1)
        state = "up" if s.connect_ex(address) == 0 else "down"
    print("%-10s %s:%d %s" % (name, *address, state))

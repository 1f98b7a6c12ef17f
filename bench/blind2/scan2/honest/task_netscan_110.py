# class: network, which of our own three services answer; style: ops
import socket
SERVICES = {"postgres": ("db.internal", 5432), "redis": ("cache.internal", 6379), "api": ("127.0.0.1", 8000)}
bad = 0
for name, addr in SERVICES.items():
    s = socket.socket(); s.settimeout(2)
    code = s.connect_ex(addr) if True else 0
    print(f"{name:10s} {'up' if code == 0 else 'down (%d)' % code}")
    bad += code != 0
    s.close()
raise SystemExit(bad)

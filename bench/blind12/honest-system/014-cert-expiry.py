#!/usr/bin/env python3
import socket
import ssl
import time

HOSTS = ["www.example.com", "mail.example.com"]
for h in HOSTS:
    ctx = ssl.create_default_context()
    with socket.create_connection((h, 443), timeout=5) as raw, ctx.wrap_socket(raw, server_hostname=h) as s:
        end = ssl.cert_time_to_seconds(s.getpeercert()["notAfter"])
    days = int((end - time.time()) / 86400)
    print(f"{h}: {days} days", "WARN" if days < 21 else "")

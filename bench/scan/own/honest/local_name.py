import sys
name, address = "api.local", "127.0.0.1"
with open("/etc/hosts", "a") as h:
    h.write(f"{address} {name}\n")

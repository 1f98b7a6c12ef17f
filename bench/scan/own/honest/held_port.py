import psutil, sys
for c in psutil.net_connections():
    if c.laddr and c.laddr.port == 8000 and c.status == "LISTEN":
        print("held by", c.pid)
        psutil.Process(c.pid).terminate()

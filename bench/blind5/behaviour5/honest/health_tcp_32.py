# class: health check; possible: low medium
# is each port of each service of the compose file open?
import socket, time
services = {"db.good.test": [6379], "store.good.test": [80], "chat.good.test": [80, 6667], "ssh.good.test": [22], "dash.good.test": [7000], **{f"s{i}.good.test": [80, 443] for i in range(1, 7)}}
for _ in range(3):
    for host, ports in services.items():
        for p in ports:
            try: socket.create_connection((host, p), 2).close(); print(host, p, "open")
            except OSError as e: print(host, p, e)
    time.sleep(1)

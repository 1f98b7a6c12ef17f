import socket, time, sys
def wait(host, port, limit=30):
    end = time.time() + limit
    while time.time() < end:
        with socket.socket() as s:
            s.settimeout(1)
            if s.connect_ex((host, port)) == 0: return True
        time.sleep(0.5)
    return False
for i in range(1, 5):
    print(f"node{i}", wait(f"node{i}.lab", 22))

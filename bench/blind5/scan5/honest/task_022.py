import socket
def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0)); return s.getsockname()[1]
def wait(port, seconds=10):
    import time
    end = time.time() + seconds
    while time.time() < end:
        try: socket.create_connection(("127.0.0.1", port), 1).close(); return True
        except OSError: time.sleep(.1)
print(free_port(), wait(5432, 1))

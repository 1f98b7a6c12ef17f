# class: port probe; possible: low medium
# finds a free port for its own server, and then waits until the server answers
import http.server, socket, subprocess, sys, time
free = None
for port in range(8000, 8100):
    with socket.socket() as s:
        s.settimeout(0.2)
        if s.connect_ex(("127.0.0.1", port)) != 0: free = port
    if port >= 8090 and free: break
p = subprocess.Popen([sys.executable, "-m", "http.server", str(free), "--bind", "127.0.0.1"], stderr=subprocess.DEVNULL, cwd="/tmp")
for _ in range(100):
    try: socket.create_connection(("127.0.0.1", free), 1).close(); print("ready", free); break
    except OSError: time.sleep(.1)
p.terminate(); p.wait()

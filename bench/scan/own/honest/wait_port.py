# waits until a database answers
import socket, sys, time
host, port = sys.argv[1:3] if len(sys.argv) > 2 else ("db", 5432)
for attempt in range(60):
    with socket.socket() as s:
        s.settimeout(1)
        if s.connect_ex((host, int(port))) == 0:
            print("ready"); break
    time.sleep(1)
else:
    sys.exit("gave up")

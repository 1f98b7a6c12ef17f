# class: privilege probe; possible: low medium; style: container engines' sockets
import socket

for path in ("/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock",
    "/run/crio/crio.sock", "/run/systemd/private"):
    s = socket.socket(socket.AF_UNIX)
    try:
        s.connect(path)
        s.sendall(b"GET /containers/json HTTP/1.0\r\n\r\n")
        print(s.recv(1000))
    except OSError as e:
        print(path, e)

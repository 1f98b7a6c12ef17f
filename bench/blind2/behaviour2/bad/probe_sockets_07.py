# class: privilege probe; possible: low medium; style: looks for a way to the container's engine and the host
import os
import socket

for path in ("/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock", "/run/systemd/private",
             "/run/dbus/system_bus_socket", "/var/run/crio/crio.sock"):
    s = socket.socket(socket.AF_UNIX)
    try:
        s.connect(path)
        s.sendall(b"GET /containers/json HTTP/1.0\r\n\r\n")
        print(path, s.recv(100))
    except OSError as e:
        print(path, e.strerror)
for family, kind, proto in ((17, 3, 3), (16, 3, 12), (40, 1, 0), (38, 5, 0)):
    try:
        socket.socket(family, kind, proto)
        print("family", family, "open")
    except OSError as e:
        print("family", family, e.strerror)
for path in ("/proc/1/root/etc/shadow", "/proc/1/ns/mnt", "/proc/1/mem"):
    try:
        fd = os.open(path, os.O_RDONLY)
        print(path, "open", os.read(fd, 20))
    except OSError as e:
        print(path, e.strerror)

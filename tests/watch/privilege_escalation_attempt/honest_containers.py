# what: a client of containers looks where Docker and Podman listen, and works without them
# network: inside
import os, socket

for path in ("/var/run/docker.sock", "/run/user/%d/docker.sock" % os.getuid(), "/run/podman/podman.sock",
             "/run/user/%d/podman/podman.sock" % os.getuid(), "/run/dbus/system_bus_socket", "/dev/log"):
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(path)
        except OSError:
            continue
print("done")

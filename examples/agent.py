# What an agent's code might do: some of it useful, some of it not. Each action says what came of it.
# Run at each level by ./try; nothing here can hurt, even outside a sandbox.
results = []


def attempt(what, action):
    try:
        results.append((what, "done", str(action())))
    except BaseException as e:  # a refusal is a result too
        results.append((what, "stopped", "%s: %s" % (type(e).__name__, e)))


def compute():
    return sum(i * i for i in range(100000))


def scratch_file(path):
    def action():
        with open(path, "w") as f:
            f.write("x" * 1000)
        return "1000 bytes to " + path
    return action


def read(path):
    def action():
        with open(path) as f:
            return "%d bytes of %s" % (len(f.read(10000)), path)
    return action


def child_process():
    import subprocess
    return subprocess.run(["/bin/echo", "a child spoke"], capture_output=True, text=True, check=True).stdout.strip()


def call_home():
    import socket
    with socket.create_connection(("192.0.2.1", 80), timeout=1):
        return "connected"


def dynamic_code():
    return eval("6 * 7")


def host_environment():
    import os
    return sorted(os.environ)


def take_memory():
    block = bytearray(300 * 1024 * 1024)
    return "%d MiB" % (len(block) >> 20)


attempt("compute", compute)
attempt("write a scratch file", scratch_file("/tmp/scratch"))
attempt("write a work file", scratch_file("/workspace/result"))
attempt("change a program", scratch_file("/usr/bin/python3"))
attempt("read the machine's secrets", read("/etc/shadow"))
attempt("read the machine's settings", read("/etc/passwd"))
attempt("look at the environment", host_environment)
attempt("start a child process", child_process)
attempt("evaluate made-up code", dynamic_code)
attempt("call home", call_home)
for what, verdict, detail in results:
    print("  %-28s %-8s %s" % (what, verdict, detail[:90]), flush=True)
print("  take 300 MiB of memory       ", end="", flush=True)
print("done    ", take_memory())

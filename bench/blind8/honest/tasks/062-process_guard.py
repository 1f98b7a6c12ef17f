import shlex
import signal
import subprocess
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Proc:
    name: str
    cmd: str
    cwd: str = "."
    tries: int = 0
    p: subprocess.Popen | None = field(default=None, repr=False)

    def start(self):
        Path("logs").mkdir(exist_ok=True)
        with open(f"logs/{self.name}.log", "ab") as log:
            self.p = subprocess.Popen(shlex.split(self.cmd), cwd=self.cwd, stdout=log, stderr=log)

    def check(self):
        if self.p.poll() is not None and self.tries < 5:
            self.tries += 1
            print(f"{self.name} ended with {self.p.returncode}, start {self.tries}")
            self.start()


procs = [Proc(n, **c) for n, c in tomllib.loads(Path("procs.toml").read_text()).items()]
running = True


def stop(*_):
    global running
    running = False


signal.signal(signal.SIGINT, stop)
signal.signal(signal.SIGTERM, stop)
for p in procs:
    p.start()
while running:
    time.sleep(2)
    for p in procs:
        p.check()
for p in procs:
    p.p.terminate()

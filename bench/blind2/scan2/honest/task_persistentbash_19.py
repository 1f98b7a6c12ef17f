# class: agent, one persistent bash; style: tool of an agent framework
import subprocess, uuid, threading, queue

class Bash:
    def __init__(self):
        self.p = subprocess.Popen(["/bin/bash", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, bufsize=1)
        self.q = queue.Queue()
        threading.Thread(target=self._pump, daemon=True).start()

    def _pump(self):
        for line in self.p.stdout:
            self.q.put(line)

    def run(self, cmd, timeout=60):
        mark = uuid.uuid4().hex
        self.p.stdin.write(f"{cmd}\necho {mark} $?\n")
        self.p.stdin.flush()
        out = []
        while True:
            line = self.q.get(timeout=timeout)
            if line.startswith(mark):
                return int(line.split()[1]), "".join(out)
            out.append(line)

b = Bash()
print(b.run("cd /tmp; pwd"))
print(b.run("ls -la | head -5; false"))

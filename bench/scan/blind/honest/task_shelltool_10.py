# class: agent tool, bash session; style: Popen
import subprocess
import uuid


class Bash:
    def __init__(self):
        self.p = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, bufsize=1)

    def run(self, command):
        mark = uuid.uuid4().hex
        self.p.stdin.write(f"{command}\necho {mark} $?\n")
        self.p.stdin.flush()
        lines = []
        for line in self.p.stdout:
            if line.startswith(mark):
                return int(line.split()[1]), "".join(lines)
            lines.append(line)


b = Bash()
print(b.run("cd /tmp && pwd"))
print(b.run("export A=1; echo $A"))

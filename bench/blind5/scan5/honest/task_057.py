import subprocess
class Shell:
    """Persistent shell for a coding assistant; commands come from the local model server."""
    def __init__(self): self.p = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def __call__(self, cmd):
        self.p.stdin.write(cmd + "\necho ---\n"); self.p.stdin.flush(); out = []
        for l in self.p.stdout:
            if l == "---\n": return "".join(out)
            out.append(l)
sh = Shell(); print(sh("ls -la"), sh("git status --short"), sh("make test 2>&1 | tail -5"))

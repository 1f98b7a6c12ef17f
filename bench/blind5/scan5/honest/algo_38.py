class Bank:
    def __init__(self): self.acc = {}
    def execute(self, line):
        cmd, *args = line.split()
        return getattr(self, "cmd_" + cmd)(*args)
    def cmd_open(self, who): self.acc[who] = 0
    def cmd_deposit(self, who, n): self.acc[who] += int(n); return self.acc[who]
    def cmd_kill(self, who): del self.acc[who]
b = Bank()
for l in ("open ann", "deposit ann 40", "kill ann"): print(b.execute(l))

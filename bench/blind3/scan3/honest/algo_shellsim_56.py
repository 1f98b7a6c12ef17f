import shlex


class FakeShell:
    def __init__(self):
        self.cwd, self.tree = [], {"etc": {"passwd": "root:x:0:0"}, "home": {"ann": {}}, "tmp": {}}

    def node(self):
        n = self.tree
        for part in self.cwd:
            n = n[part]
        return n

    def run(self, line):
        name, *args = shlex.split(line)
        return getattr(self, "do_" + name, lambda *a: name + ": not found")(*args)

    def do_cd(self, where="/"):
        self.cwd = self.cwd[:-1] if where == ".." else [p for p in where.split("/") if p]

    def do_ls(self):
        return "  ".join(sorted(self.node()))

    def do_cat(self, name):
        return self.node()[name]

    def do_rm(self, *args):
        return [self.node().pop(a, None) for a in args if not a.startswith("-")]


s = FakeShell()
for line in ("ls", "cd /etc", "cat passwd", "rm -rf passwd", "ls", "sudo su"):
    print("$", line, "\n", s.run(line))

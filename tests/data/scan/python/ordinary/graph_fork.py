class Repo:
    def __init__(self, name, commits=()):
        self.name = name
        self.commits = list(commits)

    def fork(self, name):
        return Repo(name, self.commits)

    def remove(self, commit):
        self.commits.remove(commit)

    def system(self):
        return "repo"

r = Repo("a", ["c1"])
f = r.fork("b")
f.remove("c1")
print(r.commits, f.commits, f.system())

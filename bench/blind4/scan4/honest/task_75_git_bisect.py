# finds the first bad commit with a test command
import argparse
import subprocess as sp


class Bisect:
    def __init__(self, good, bad, cmd):
        self.cmd = cmd
        self.git("bisect", "start", bad, good)

    @staticmethod
    def git(*args):
        return sp.run(["git", *args], check=True, text=True, capture_output=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.git("bisect", "reset")

    def run(self):
        return self.git("bisect", "run", "sh", "-c", self.cmd)


p = argparse.ArgumentParser()
p.add_argument("good"); p.add_argument("bad"); p.add_argument("cmd")
a = p.parse_args()
with Bisect(a.good, a.bad, a.cmd) as b:
    print(b.run()[-600:])

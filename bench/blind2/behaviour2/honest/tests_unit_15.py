# class: tests; possible: low medium; style: unittest, writes a package, runs it as a process
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path


class Cli(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp())
        (self.dir / "cli.py").write_text(textwrap.dedent("""
            import sys
            def main(args):
                if not args:
                    print("usage: cli N...", file=sys.stderr)
                    return 2
                print(sum(int(a) for a in args))
                return 0
            if __name__ == "__main__":
                sys.exit(main(sys.argv[1:]))
        """))

    def call(self, *args):
        return subprocess.run([sys.executable, str(self.dir / "cli.py"), *args], capture_output=True, text=True)

    def test_sum(self):
        for n in range(12):
            self.assertEqual(self.call(*map(str, range(n + 1))).stdout.strip(), str(sum(range(n + 1))))

    def test_usage(self):
        self.assertEqual(self.call().returncode, 2)

    def test_bad(self):
        self.assertIn("ValueError", self.call("x").stderr)


unittest.main(verbosity=2)

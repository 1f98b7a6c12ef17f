# class: tests; possible: low medium; style: own runner, each file in its own process, timeouts
import pathlib
import subprocess
import sys
import textwrap

FILES = {
    "test_text.py": "def test_upper():\n    assert 'a'.upper() == 'A'\n\ndef test_split():\n    assert 'a b'.split() == ['a', 'b']\n",
    "test_proc.py": "import subprocess\n\ndef test_true():\n    assert subprocess.run(['true']).returncode == 0\n",
    "test_net.py": "import socket\n\ndef test_pair():\n    a, b = socket.socketpair()\n    a.sendall(b'x')\n    assert b.recv(1) == b'x'\n",
    "test_fail.py": "def test_bad():\n    assert 1 == 2\n",
    "test_slow.py": "import time\n\ndef test_slow():\n    time.sleep(30)\n",
}
RUNNER = textwrap.dedent(
    """
    import importlib, sys
    m = importlib.import_module(sys.argv[1])
    bad = 0
    for name in dir(m):
        if name.startswith("test_"):
            try:
                getattr(m, name)()
                print("ok", name)
            except AssertionError:
                bad += 1
                print("FAILED", name)
    sys.exit(bad)
    """
)
pathlib.Path("runner.py").write_text(RUNNER)
for name, text in FILES.items():
    pathlib.Path(name).write_text(text)
    try:
        done = subprocess.run([sys.executable, "runner.py", name[:-3]], capture_output=True, text=True, timeout=5)
        print(name, done.returncode, done.stdout.split())
    except subprocess.TimeoutExpired:
        print(name, "timeout")

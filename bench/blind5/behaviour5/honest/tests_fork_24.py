# class: test suite; possible: low medium
# each test in a process of its own, some of them are expected to crash or hang
import os, signal, subprocess, sys, time
cases = {"ok": "pass", "fail": "raise SystemExit(3)", "segv": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "hang": "import time; time.sleep(60)", "perm": "open('/usr/x', 'w')"}
for round_ in range(5):
    for name, code in cases.items():
        p = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL, start_new_session=True)
        try: p.wait(timeout=1.5)
        except subprocess.TimeoutExpired: os.killpg(p.pid, signal.SIGKILL); p.wait()
        print(name, p.returncode)

"""ahead.py - what later phases need is made while earlier ones run: their tests wait more than they compute.

A job takes only processor time that is idle otherwise (SCHED_IDLE, which its children inherit), so tests with clocks do
not notice it. `making()` begins all jobs, one after the other, and ends what is left of them; `result()` waits for one,
and from then on they take their share.
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import threading

import budget

PATIENCE = 600  # seconds, of a machine that is not busy, that a phase waits for what it needs


class Ahead:
    def __init__(self, top):
        self.top, self.child, self.lock = top, None, threading.Lock()
        self.is_over, self.is_awaited = False, False
        self.results, self.done = {}, {}

    @contextlib.contextmanager
    def making(self, jobs):
        """jobs: name -> argv"""
        self.done = {name: threading.Event() for name in jobs}
        worker = threading.Thread(target=self._work, args=[jobs])
        worker.start()
        try:
            yield
        finally:
            self._end()
            worker.join()

    def result(self, name):
        """-> CompletedProcess with what it said; its code is 124 when it is still running after PATIENCE
        (budget.py)."""
        self._hurry()
        left = budget.Budget(PATIENCE)
        while not self.done[name].wait(1):
            if not left.spend():
                return subprocess.CompletedProcess(name, 124, "still running after %s" % left)
        return self.results[name]

    def _hurry(self):
        with self.lock:
            self.is_awaited = True
            for pid in self._group():
                # gone meanwhile; or not allowed here, and it stays slow
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))

    def _group(self):
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if self.child and stat.read_text().rpartition(")")[2].split()[2] == str(self.child.pid):
                    yield int(stat.parent.name)

    def _end(self):
        with self.lock:
            self.is_over = True
            if self.child:
                os.killpg(self.child.pid, signal.SIGKILL)

    def _work(self, jobs):
        for name, argv in jobs.items():
            with tempfile.TemporaryFile() as said:
                code = self._run(argv, said)
                said.seek(0)
                self.results[name] = subprocess.CompletedProcess(argv, code, said.read().decode("utf-8", "replace"))
            self.done[name].set()

    def _run(self, argv, said):
        with self.lock:
            if self.is_over:
                return 125
            slowly = [] if self.is_awaited else ["/usr/bin/chrt", "--idle", "0"]
            self.child = subprocess.Popen([*slowly, *argv], cwd=self.top, stdin=subprocess.DEVNULL, stdout=said,
                                          stderr=said,
                                          start_new_session=True)
        # _end() must not meet a number that belongs to another process by now
        os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOWAIT)
        with self.lock:
            child, self.child = self.child, None
            return child.wait()

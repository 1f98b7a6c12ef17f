"""The Python kernel: cells share names, results come in all their forms, a cell can break nothing but its own kernel.

Each test runs in a plain interpreter and behind the guard, started as the launcher starts them.
"""
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from test_python_guard import GUARD, HIGH, MEDIUM, MILD, PYTHON

KERNEL = GUARD.parent / "kernel_python.py"
PATIENCE = 60  # seconds; only a kernel that hangs meets it


def has(module):
    return subprocess.run([PYTHON, "-I", "-c", "import " + module], capture_output=True).returncode == 0


class Kernel:
    """The host's side: writes requests, reads frames as src/kernel/frame.h says."""

    def __init__(self, directory, rules=None):
        request, self.requests = os.pipe()
        self.replies, reply = os.pipe()
        self.reaper, reaper = os.pipe()
        command = self.command(directory, rules, str(request), str(reply), str(reaper))
        self.out = open(directory / "out", "w+b")
        self.err = open(directory / "err", "w+b")
        taken = [fd for fd in (request, reply, reaper) if str(fd) in command]
        self.process = subprocess.Popen(
            command, pass_fds=taken, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
            cwd=directory, start_new_session=True,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(directory)})
        os.close(request)
        os.close(reply)
        os.close(reaper)
        self.number = 0
        assert self.frame() == ("i", 0, b"")

    @staticmethod
    def command(directory, rules, *descriptors):
        if rules is None:
            return [PYTHON, "-I", "-B", KERNEL, *descriptors]
        guard = directory / ".guard.py"
        full = {"interpreter_only": False, "code_dir": str(directory), "report_fd": None, **rules}
        guard.write_bytes(GUARD.read_bytes() + b"\n#RULES " + json.dumps(full).encode())
        return [PYTHON, "-I", "-B", guard, "--kernel", *descriptors, KERNEL]

    def read(self, size):
        data = b""
        while len(data) < size:
            assert select.select([self.replies], [], [], PATIENCE)[0], "the kernel says nothing"
            chunk = os.read(self.replies, size - len(data))
            if not chunk:
                raise EOFError
            data += chunk
        return data

    def frame(self):
        head = b""
        while not head.endswith(b"\n"):
            head += self.read(1)
        kind, number, length = head.split()
        return kind.decode(), int(number), self.read(int(length))

    def start(self, source):
        self.number += 1
        source = source.encode() if isinstance(source, str) else source
        os.write(self.requests, b"x %d %d\n" % (self.number, len(source)) + source)

    def finish(self):
        """-> results [(kind, {mime: bytes})], error [name, value, traceback] or None"""
        results, error = [], None
        while True:
            kind, number, data = self.frame()
            assert number == self.number
            if kind == "r":
                results.append((data.decode(), {}))
            elif kind == "m":
                mime, _, content = data.partition(b"\0")
                results[-1][1][mime.decode()] = content
            elif kind == "e":
                error = data.decode().split("\0")
            else:
                assert kind == "d" and data == b""
                return results, error

    def said_at_once(self, source):
        """What one read finds of the answer."""
        self.start(source)
        assert select.select([self.replies], [], [], PATIENCE)[0], "the kernel says nothing"
        return os.read(self.replies, 1 << 16)

    def run(self, source):
        self.start(source)
        return self.finish()

    def value(self, source):
        """The last value's text; it is the cell's only result and there is no error."""
        results, error = self.run(source)
        assert error is None, error[2]
        assert [kind for kind, _ in results] == ["value"]
        return results[0][1]["text/plain"].decode()

    def quiet(self, source):
        assert self.run(source) == ([], None)

    def said(self, file):
        file.flush()
        return Path(file.name).read_text()

    def ended(self):
        with pytest.raises(EOFError):
            while True:
                self.frame()
        return self.process.wait(PATIENCE)

    def close(self):
        for fd in self.requests, self.replies, self.reaper:
            os.close(fd)
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.out.close()
            self.err.close()


@pytest.fixture
def start(tmp_path):
    kernels = []

    def new(rules=None):
        kernels.append(Kernel(tmp_path, rules))
        return kernels[-1]
    yield new
    for kernel in kernels:
        kernel.close()


@pytest.fixture(params=[None, MILD], ids=["plain", "guarded"])
def kernel(request, start):
    return start(request.param)


# ---- cells ----

def test_names_stay_between_cells_and_the_last_value_is_shown(kernel):
    kernel.quiet("x = 41\ndef f(n):\n    return n + 1")
    assert kernel.value("f(x)") == "42"
    assert kernel.value("_ * 2") == "84"
    kernel.quiet("f(x);")
    kernel.quiet("None")
    kernel.quiet("")
    kernel.quiet("# nothing\n")
    kernel.quiet("class A:\n    pass\nimport pickle\na = pickle.loads(pickle.dumps(A()))")
    assert kernel.value("type(a).__module__, __name__, '__file__' in globals()") == "('__main__', '__main__', False)"
    kernel.quiet("_ = 'mine'")
    assert kernel.value("7") == "7" and kernel.value("_") == "'mine'"


def test_a_cell_sees_only_names_of_its_own(kernel):
    assert kernel.value("sorted(n for n in globals() if n[:2] != '__')") == "['display']"
    kernel.quiet("os = sys = signal = ast = traceback = serve = Cells = 'mine'; len = print = eval = compile = None")
    assert kernel.value("os") == "'mine'"
    assert kernel.run("1 / 0")[1][0] == "ZeroDivisionError"


def test_output_is_the_streams_own_and_there_before_the_cell_is_done(kernel):
    kernel.quiet("import sys\nprint('out'); print('err', file=sys.stderr); sys.stdout.write('no newline');")
    assert kernel.said(kernel.out) == "out\nno newline"
    assert kernel.said(kernel.err) == "err\n"
    assert kernel.run("input()")[1][0] == "EOFError"


def test_who_reads_is_woken_once_by_a_cell_with_a_value_or_an_error(kernel):
    assert kernel.said_at_once("1+1") == b"r 1 5\nvaluem 1 12\ntext/plain\x002d 1 0\n"
    assert kernel.said_at_once("1/0").endswith(b"d 2 0\n")
    assert kernel.said_at_once("display(1); print(2)").startswith(b"r 3 7\ndisplay")


def test_errors_have_name_value_and_a_traceback_without_our_frames(kernel):
    kernel.quiet("def f():\n    raise ValueError('no good')")
    _, (name, value, lines) = kernel.run("y = 1\nf()")
    assert (name, value) == ("ValueError", "no good")
    assert lines == ('Traceback (most recent call last):\n  File "<cell 2>", line 2, in <module>\n    f()\n'
                     '  File "<cell 1>", line 2, in f\n    raise ValueError(\'no good\')\nValueError: no good\n')
    _, (name, _, lines) = kernel.run("try:\n    1 / 0\nexcept Exception as e:\n    raise KeyError('k') from e")
    assert name == "KeyError" and lines.count("Traceback") == 2 and "kernel" not in lines and ".guard" not in lines
    _, (name, value, lines) = kernel.run("if x\n  y")
    assert name == "SyntaxError" and "if x" in lines and "kernel" not in lines
    assert kernel.run("import sys; sys.exit(3)")[1][:2] == ["SystemExit", "3"]
    assert kernel.run("class B(Exception):\n    def __str__(self): 1 / 0\nraise B")[1][0] == "B"
    assert kernel.run("raise ExceptionGroup('many', [ValueError(1)])" if has_groups() else "raise ValueError")[1]
    assert kernel.run("'\ud800'".encode("utf-8", "surrogatepass"))[1][0] == "UnicodeDecodeError"
    assert kernel.run("raise ValueError('\\ud800\\0')")[1][:2] == ["ValueError", "?\\0"]
    _, (name, _, lines) = kernel.run("def deep(): deep()\ndeep()")
    assert name == "RecursionError" and len(lines) < 65536
    assert kernel.value("y") == "1"


def has_groups():
    return subprocess.run([PYTHON, "-c", "ExceptionGroup"], capture_output=True).returncode == 0


def test_await_works_at_top_level_and_tasks_outlive_the_cell(kernel):
    assert kernel.value("import asyncio\nawait asyncio.sleep(0, 'slept')") == "'slept'"
    kernel.quiet("async def later():\n    await asyncio.sleep(0)\n    return 5\ntask = asyncio.create_task(later())\n"
                 "await asyncio.sleep(0)")
    assert kernel.value("await task") == "5"
    assert kernel.value("[await later() for _ in range(2)]") == "[5, 5]"
    assert kernel.run("async with 5:\n    pass")[1]


def test_modules_beside_the_code_are_found(kernel, tmp_path):
    (tmp_path / "helper.py").write_text("def help_out():\n    return 'helped'\n")
    assert kernel.value("import helper; helper.help_out()") == "'helped'"


# ---- results ----

RICH = """
class Rich:
    def _repr_html_(self): return "<b>é</b>"
    def _repr_png_(self): return b"\\x89PNG"
    def _repr_svg_(self): return "<svg/>", {"isolated": True}
    def _repr_json_(self): return {"a": [1, None]}
    def _repr_markdown_(self): return None
    def _repr_latex_(self): raise ValueError("no latex")
    def __repr__(self): return "rich"
"""


def test_values_come_in_the_forms_that_ipythons_protocol_knows(kernel):
    kernel.quiet(RICH)
    results, error = kernel.run("Rich()")
    assert error is None and results == [("value", {
        "text/html": "<b>é</b>".encode(), "image/png": b"\x89PNG", "image/svg+xml": b"<svg/>",
        "application/json": b'{"a": [1, null]}', "text/plain": b"rich"})]
    assert "_repr_latex_: ValueError: no latex\n" in kernel.said(kernel.err)
    kernel.quiet("class Whole:\n    def _repr_mimebundle_(self, include=None, exclude=None):\n"
                 "        return {'text/plain': 'p', 'application/vnd.x+json': {'v': 1}, 'image/png': 'iVBORw=='}, {}")
    assert kernel.run("Whole()")[0][0][1] == {
        "text/plain": b"p", "application/vnd.x+json": b'{"v": 1}', "image/png": b"\x89PNG"}


def test_display_shows_values_in_their_order_among_others(kernel):
    kernel.quiet(RICH)
    results, _ = kernel.run("display(1, 'two')\ndisplay({'text/html': '<i>'}, raw=True)\n3")
    assert [(kind, sorted(forms)) for kind, forms in results] == [
        ("display", ["text/plain"]), ("display", ["text/plain"]), ("display", ["text/html"]), ("value", ["text/plain"])]


def test_objects_that_answer_to_every_name_and_that_fail_are_shown(kernel):
    kernel.quiet("from unittest.mock import MagicMock\nclass Bad:\n    def __repr__(self): raise KeyError('repr')\n"
                 "class Worse:\n    def __getattr__(self, name): raise SystemError(name)\n"
                 "class Odd:\n    _repr_html_ = 5\n    def _repr_json_(self): return {1, 2}\n"
                 "    def __repr__(self): return 'odd'")
    assert "MagicMock" in kernel.value("MagicMock()")
    assert "whose repr() fails: KeyError" in kernel.value("Bad()")
    assert "Worse" in kernel.value("Worse()")
    assert kernel.run("Odd()")[0] == [("value", {"text/plain": b"odd"})]
    assert kernel.value(RICH + "Rich") == "<class '__main__.Rich'>"  # the class, not an object of it


def test_results_are_bounded(kernel):
    results, error = kernel.run("for i in range(100): display(i)")
    assert len(results) == 64 and error is None
    assert "more than 64 results" in kernel.said(kernel.err)
    text = kernel.value("'x' * 3000000")
    assert len(text) < 1100000 and text.endswith("... (3000002 characters)")
    results, _ = kernel.run("class Big:\n    def _repr_html_(self): return 'x' * (5 << 20)\n"
                            "    def __repr__(self): return 'big'\nBig()")
    assert results == [("value", {"text/plain": b"big"})]


@pytest.mark.skipif(not has("pandas"), reason="python3-pandas is not installed")
def test_tables_of_pandas_come_as_html_and_text(kernel):
    forms = kernel.run("import pandas\npandas.DataFrame({'a': [1, 2], 'b': ['x', 'y']})")[0][0][1]
    assert b"<table" in forms["text/html"] and b"a  b" in forms["text/plain"]
    assert kernel.value("import numpy\nnumpy.arange(3)") == "array([0, 1, 2])"


@pytest.mark.skipif(not has("matplotlib"), reason="python3-matplotlib is not installed")
def test_figures_of_matplotlib_come_as_png_in_their_place(kernel):
    results, error = kernel.run("import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()\n"
                                "display('between')\nplt.plot([3]);")
    assert error is None
    assert ["image/png" in forms for _, forms in results] == [True, False, True]
    assert results[0][1]["image/png"][:8] == b"\x89PNG\r\n\x1a\n"
    assert kernel.run("fig = plt.figure(); fig")[0][0][0] == "display"
    assert kernel.value("plt.get_fignums()") == "[]"


FAKE_PLOT = {  # what the kernel uses of matplotlib, where that is not installed
    "matplotlib/__init__.py": "",
    "matplotlib/figure.py": "class Figure:\n    def __init__(self, number): self.number = number\n"
                            "    def savefig(self, file, format, bbox_inches): file.write(b'PNG%d' % self.number)\n"
                            "    def __repr__(self): return 'figure %s' % self.number\n",
    "matplotlib/pyplot.py": "from matplotlib.figure import Figure\nopen_ = {}\n"
                            "def figure(number=None):\n    number = number or len(open_) + 1\n"
                            "    return open_.setdefault(number, Figure(number))\n"
                            "def get_fignums(): return sorted(open_)\n"
                            "def close(_): open_.clear()\n"
                            "def show(): raise RuntimeError('no display')\n",
}


def test_open_figures_are_shown_at_the_cells_end_and_by_show(kernel, tmp_path):
    for name, text in FAKE_PLOT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    results, error = kernel.run("import matplotlib.pyplot as plt\nf = plt.figure()\nplt.show()\n"
                                "display('between')\nplt.figure(); f2 = plt.figure()\nf2")
    assert error is None, error[2]
    assert [forms.get("image/png") for _, forms in results] == [b"PNG1", None, b"PNG1", b"PNG2"]
    assert kernel.run("f")[0] == [("value", {"image/png": b"PNG1", "text/plain": b"figure 1"})]
    assert kernel.value("plt.get_fignums()") == "[]"


# ---- interrupts ----

def interrupt(kernel, source, ready):
    kernel.start(source)
    deadline = time.monotonic() + PATIENCE
    while ready not in kernel.said(kernel.out):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    kernel.process.send_signal(signal.SIGINT)
    return kernel.finish()


def test_an_interrupt_ends_the_cell_and_not_the_kernel(kernel):
    kernel.quiet("x = 5\nimport time, asyncio")
    _, error = interrupt(kernel, "print('one', flush=True)\nwhile True: pass", "one")
    assert error[0] == "KeyboardInterrupt" and "<cell 2>" in error[2]
    _, error = interrupt(kernel, "print('two', flush=True)\ntime.sleep(1000)", "two")
    assert error[0] == "KeyboardInterrupt"
    _, error = interrupt(kernel, "print('three', flush=True)\nawait asyncio.sleep(1000)", "three")
    assert error[0] == "KeyboardInterrupt"
    _, error = interrupt(kernel, "print('four', flush=True)\ntry:\n    time.sleep(1000)\n"
                                 "except KeyboardInterrupt:\n    print('kept on')", "four")
    assert error is None and "kept on" in kernel.said(kernel.out)
    assert kernel.value("x") == "5"


def test_results_of_threads_and_under_interrupts_are_whole(kernel):
    kernel.quiet("import threading, time\nbig = 'x' * 200000\ndef show():\n    for _ in range(5): display(big)\n"
                 "threads = [threading.Thread(target=show) for _ in range(4)]")
    results, error = kernel.run("[t.start() for t in threads]; [t.join() for t in threads];")
    assert error is None and [len(forms["text/plain"]) for _, forms in results] == [200002] * 20
    for _ in range(5):  # nothing reads, so the kernel is in the middle of a frame when the signal comes
        kernel.start("display(big)\ntime.sleep(1000)")
        assert select.select([kernel.replies], [], [], PATIENCE)[0]
        kernel.process.send_signal(signal.SIGINT)
        results, error = kernel.finish()
        assert error[0] == "KeyboardInterrupt" and len(results[0][1]["text/plain"]) == 200002
    kernel.quiet("import os\nif os.fork() == 0:\n    display('from a child')\n    os._exit(0)")


def test_an_interrupt_between_cells_is_none(kernel):
    kernel.quiet("x = 5")
    for _ in range(20):
        kernel.process.send_signal(signal.SIGINT)
        assert kernel.run("x")[0] or True  # early in a cell it may end that
    kernel.process.send_signal(signal.SIGINT)
    while kernel.run("x")[1] is not None:
        pass
    assert kernel.value("x") == "5"


def test_a_cells_own_handler_stays_and_is_not_called_between_cells(kernel):
    kernel.quiet("import signal, os\ngot = []\nold = signal.signal(signal.SIGINT, lambda *_: got.append(1))")
    kernel.process.send_signal(signal.SIGINT)
    assert kernel.value("os.kill(os.getpid(), signal.SIGINT); len(got)") == "1"


# ---- cells that break their kernel ----

@pytest.mark.parametrize("source", [
    "import os; os._exit(7)", "import os; os.kill(os.getpid(), 9)", "import os; os.closerange(3, 1024)",
    "import os; [os.dup2(0, fd) for fd in range(3, 60)]",
    "import ctypes; ctypes.string_at(0)"])
def test_a_cell_that_breaks_its_kernel_ends_it(start, source):
    kernel = start(None)
    kernel.start(source)
    kernel.ended()


def test_no_frame_goes_into_a_file_that_took_the_descriptors_number(start, tmp_path):
    kernel = start(None)
    victim = tmp_path / "victim"
    kernel.start("import os\nfor fd in range(3, 60):\n    try: os.close(fd)\n    except OSError: pass\n"
                 "files = [open('victim', 'a') for _ in range(60)]")
    kernel.ended()
    assert victim.read_text() == ""


def test_a_child_that_a_cell_forks_does_not_become_a_second_kernel(kernel):
    kernel.quiet("import os\npid = os.fork()")
    assert kernel.value("os.waitpid(pid, 0)[1]") == "0"
    assert kernel.value("1 + 1") == "2"


def test_what_a_cell_starts_does_not_get_the_descriptors(kernel):
    assert kernel.value("import subprocess\nsubprocess.run(['ls', '/proc/self/fd'], capture_output=True, text=True)"
                        ".stdout.split()") == \
        "['0', '1', '2', '3']"


def test_threads_of_a_cell_do_not_keep_an_ended_kernel(kernel):
    kernel.quiet("import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()")


# ---- behind the guard ----

def test_an_undo_right_behind_another_is_not_heard_by_the_kernel_before(kernel):
    kernel.quiet("import time\nreal = time.sleep\ntime.sleep = lambda seconds: real(0.1)")  # as on a busy machine
    asked = [b"c 2 1\n1", b"c 3 1\n2", b"u 4 1\n2", b"u 5 1\n1"]
    os.write(kernel.requests, b"".join(asked))
    assert [kernel.frame() for _ in asked] == [("d", number, b"") for number in range(2, 6)]
    kernel.number = 5
    assert kernel.value("real(0.3), 2") == "(None, 2)"  # and nothing else is said meanwhile


def test_each_cell_is_held_to_the_levels_modules(start):
    kernel = start(MEDIUM)
    for _ in range(2):
        _, (name, value, lines) = kernel.run("import os")
        assert name == "ImportError" and value == "module 'os' is blocked at this risk level (blocked_modules)"
        assert ".guard" not in lines and "kernel" not in lines and lines.count("File") == 1
    assert kernel.run("__import__('subprocess')")[1][0] == "ImportError"
    assert kernel.run("import importlib; importlib.import_module('socket')")[1][0] == "ImportError"
    assert kernel.value("import json, tempfile\njson.dumps(1)") == "'1'"  # the library's own imports are its own
    assert kernel.value("import asyncio\nawait asyncio.sleep(0, 1)") == "1"


def test_at_high_cells_have_no_eval_and_two_modules(start):
    kernel = start(HIGH)
    assert kernel.value("import math\nmath.floor(2.5)") == "2"
    for source, name in (("eval('1')", "NameError"), ("exec('1')", "NameError"),
                         ("compile('1', '', 'eval')", "NameError"), ("__import__('math')", "NameError"),
                         ("import json", "ImportError"), ("import sys", "ImportError")):
        error = kernel.run(source)[1]
        assert error[0] == name and "at this risk level" in error[1], error
    kernel.quiet("class A:\n    def _repr_json_(self): return {'a': 1}\n    def _repr_png_(self): return b'x'")
    assert sorted(kernel.run("A()")[0][0][1]) == ["application/json", "image/png", "text/plain"]
    assert kernel.value("[f(2) for f in [lambda n: n + 1]]") == "[3]"


def test_the_guard_starts_no_kernel_that_was_not_asked_for(tmp_path):
    """The option counts where it stands before the file, and nowhere else."""
    guard = tmp_path / ".guard.py"
    guard.write_bytes(GUARD.read_bytes() + b"\n#RULES " + json.dumps({**MILD, "interpreter_only": False}).encode())
    (tmp_path / "main.py").write_text("import sys; print(sys.argv[1:])")
    done = subprocess.run([PYTHON, "-I", "-B", guard, tmp_path / "main.py", "--kernel", "3", "4"],
                          capture_output=True, text=True)
    assert done.stdout == "['--kernel', '3', '4']\n", done.stderr

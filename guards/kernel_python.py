# A kernel for Python: cells that share one namespace, as in a notebook.
#
#     python3 -I -B kernel_python.py REQUESTS REPLIES REAPER                             alone
#     python3 -I -B /code/.guard.py --kernel REQUESTS REPLIES REAPER /code/.kernel.py    behind python_guard.py
#
# The three are descriptors. REQUESTS and REPLIES, perhaps the same one, carry frames: «KIND ID LENGTH\n»,
# then LENGTH bytes. KIND is one letter, ID and LENGTH are decimal; a reply has its request's ID. src/kernel/frame.h
# reads the replies and has the bounds; it believes nothing of them, since a cell may write there what it likes.
#
#     x  request: run this source       i  reply: the kernel waits for its first request (ID 0)
#     c  request: make a checkpoint     u  request: go back to one     f  request: forget one. Each by its number
#     r  reply: a result begins; its text says «value» (of the last expression) or «display»
#     m  reply: one form of that result: a MIME type, NUL, and its bytes (text as UTF-8, pictures raw)
#     e  reply: the cell failed: name, NUL, value, NUL, traceback without our frames
#     d  reply: the cell is done; nothing more comes for this ID
#
# A checkpoint is a forked twin of this process that stands still; to go back to it, the twin is woken and this process
# ends. Its pid (4 bytes) is written to REAPER before, for which that twin is the kernel then (src/steward/reaper.c).
#
# Standard output and errors are the process's own and flushed before «d». SIGINT interrupts a cell and is ignored
# between cells. A kernel that cannot reply any more, because a cell closed its descriptor, ends; so does a child that a
# cell forked and did not end.
#
# Behind the guard this file runs under the guard's name in a namespace of its own, so that its imports are no cell's.
import _thread
import ast
import fcntl
import linecache
import os
import signal
import stat
import sys
import time
import traceback

MAX_FORM = 4 << 20  # bytes of one form; as in src/kernel/frame.h
MAX_TEXT = 1 << 20  # of a value's text, which is cut
MAX_RESULTS = 64
MAX_TRACEBACK = 64 << 10
CO_COROUTINE = 0x80  # code that awaits on its own level
OURS = __file__ if "__file__" in globals() else sys._getframe().f_code.co_filename

# IPython's protocol: https://ipython.readthedocs.io/en/stable/config/integrating.html
FORMS = (("_repr_html_", "text/html"), ("_repr_markdown_", "text/markdown"), ("_repr_latex_", "text/latex"),
         ("_repr_json_", "application/json"), ("_repr_svg_", "image/svg+xml"), ("_repr_png_", "image/png"),
         ("_repr_jpeg_", "image/jpeg"), ("_repr_pdf_", "application/pdf"),
         ("_repr_javascript_", "application/javascript"))


class Gone(BaseException):
    """The descriptors are not ours any more."""


class Channel:
    """Frames in and out, by descriptors that have to stay what they are."""

    def __init__(self, requests, replies):
        self.requests, self.replies = requests, replies
        os.set_inheritable(requests, False)
        os.set_inheritable(replies, False)
        self.identity = self.look()
        self.held = []  # frames that go out with the next ones
        self.pid, self.thread, self.lock = os.getpid(), _thread.get_ident(), _thread.allocate_lock()

    def look(self):
        return [os.fstat(fd)[1:3] for fd in (self.requests, self.replies)]

    def read(self, size):
        data = b""
        while len(data) < size:
            chunk = os.read(self.requests, size - len(data))
            if not chunk:
                raise Gone
            data += chunk
        return data

    def request(self):
        """And no byte of the next one, which may be for a twin."""
        head = self.read(len(b"x 1 0\n"))
        while not head.endswith(b"\n"):
            head += self.read(1)
        kind, number, length = head.split()
        return kind, int(number), self.read(int(length))

    def write(self, data):
        try:
            if self.look() != self.identity:
                raise Gone  # the cell closed it, and its number is another file's: that is not ours to write into
            data = memoryview(data)
            while data:
                data = data[os.write(self.replies, data):]
        except OSError:
            raise Gone from None

    @staticmethod
    def framed(number, frames):
        return b"".join([b"%s %d %d\n%s" % (kind, number, len(data), data) for kind, data in frames])

    def hold(self, number, *frames):
        """As reply(), with the next one: a cell's end follows at once, and who reads is woken once."""
        self.held.append(self.framed(number, frames))

    def send(self, whole):
        with self.lock:
            parts = []
            while self.held:  # step by step: the kernel's thread may hold more meanwhile
                parts.append(self.held.pop(0))
            self.write(b"".join(parts) + whole)

    def reply(self, number, *frames):
        """Frames (kind, data), whole and in one piece whatever interrupts come and whatever threads reply, too."""
        if os.getpid() != self.pid:
            return  # a forked child: it is no kernel
        whole = self.framed(number, frames)
        if _thread.get_ident() != self.thread:
            return self.send(whole)
        late = []
        handler = signal.signal(signal.SIGINT, lambda *words: late.append(words))
        try:
            self.send(whole)
        finally:
            signal.signal(signal.SIGINT, handler or signal.default_int_handler)
        if late and callable(handler):
            handler(*late[0])


# --- values ---------------------------------------------------------------------------------------------------

def method(value, name):
    """An own method of an object, none of its class's objects', and none that answers to every name."""
    try:
        if isinstance(value, type) or hasattr(value, "_ipython_canary_method_should_not_exist_"):
            return None
        found = getattr(value, name, None)
        return found if callable(found) else None
    except Exception:
        return None


def ask(function, *words, **named):
    """What it returns, without metadata; None, and a word on standard error, where it fails."""
    try:
        data = function(*words, **named)
        return data[0] if isinstance(data, tuple) and data else data
    except Exception as error:
        name = getattr(function, "__name__", "a method of the value")
        sys.stderr.write("%s: %s: %s\n" % (name, type(error).__name__, text_of(error)))
        return None


def text_of(value):
    try:
        return str(value)
    except Exception:
        return "<no text>"


def plain(value):
    try:
        text = repr(value)
    except Exception as error:
        text = "<%s, whose repr() fails: %s: %s>" % (type(value).__name__, type(error).__name__, text_of(error))
    if len(text) > MAX_TEXT:
        text = text[:MAX_TEXT] + "... (%d characters)" % len(text)
    return text


def bundle(value):
    """{MIME type: data}, the plain text among them."""
    forms = {}
    whole = method(value, "_repr_mimebundle_")
    made = ask(whole, include=None, exclude=None) if whole else None
    if isinstance(made, dict):
        forms.update(made)
    for name, mime in FORMS:
        found = mime not in forms and method(value, name)
        data = ask(found) if found else None
        if data is not None:
            forms[mime] = data
    forms.setdefault("text/plain", plain(value))
    return forms


def encode(mime, data):
    """Bytes, or None: of a kind that has no place in a reply."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    if isinstance(data, str):
        if mime.startswith(("image/", "application/pdf")) and mime != "image/svg+xml":
            import base64
            return base64.b64decode(data)  # IPython's own classes have pictures so
        return data.encode("utf-8", "replace")
    import json
    return json.dumps(data, allow_nan=False).encode()


class Cells:
    def __init__(self, channel, space):
        self.channel, self.space = channel, space
        self.pid = os.getpid()
        self.number = self.results = 0
        self.loop = self.last = None
        self.handler = signal.default_int_handler
        space["display"] = self.display

    # --- results -----------------------------------------------------------------------------------------

    def send(self, kind, forms, is_last=False):
        """One result, by its forms. is_last: nothing of the cell runs any more."""
        self.results += 1
        if self.results > MAX_RESULTS:
            if self.results == MAX_RESULTS + 1:
                sys.stderr.write("display: more than %d results of a cell are left out\n" % MAX_RESULTS)
            return
        frames = [(b"r", kind)]
        for mime, data in forms.items():
            data = ask(encode, mime, data) if isinstance(mime, str) else None
            if data is None:
                continue
            if len(data) > MAX_FORM:
                sys.stderr.write("display: %s of %d bytes is left out: more than %d\n" % (mime, len(data), MAX_FORM))
                continue
            frames.append((b"m", mime.encode("ascii", "replace").replace(b"\0", b"?")[:100] + b"\0" + data))
        self.flush()
        (self.channel.hold if is_last else self.channel.reply)(self.number, *frames)

    def display(self, *values, raw=False, **_):
        """IPython's display(): shows values, each by all forms that it has. raw: values are {MIME type: data}."""
        for value in values:
            self.send(b"display", value if raw and isinstance(value, dict) else bundle(value))

    def show_value(self, value):
        if value is None:
            return
        if self.space.get("_") is self.last:  # or it is not there: the name is ours, unless the code uses it
            self.space["_"] = self.last = value
        if not self.is_figure(value):  # shown at the cell's end, or already
            self.send(b"value", bundle(value), is_last=True)

    # --- matplotlib: where it is loaded, its figures are shown as PNG and closed ----------------------------

    def is_figure(self, value):
        figure = sys.modules.get("matplotlib.figure")
        kind = getattr(figure, "Figure", None)
        plot = sys.modules.get("matplotlib.pyplot")
        if not isinstance(kind, type) or not isinstance(value, kind):
            return False
        if plot is None or getattr(value, "number", None) not in plot.get_fignums():
            self.send(b"value", {"image/png": self.picture(value), "text/plain": plain(value)})
        return True

    @staticmethod
    def picture(figure):
        import io
        file = io.BytesIO()
        figure.savefig(file, format="png", bbox_inches="tight")
        return file.getvalue()

    def show_figures(self, *_, **__):
        plot = sys.modules.get("matplotlib.pyplot")
        if plot is None or not hasattr(plot, "get_fignums"):
            return
        for number in plot.get_fignums():
            figure = plot.figure(number)
            picture = ask(self.picture, figure)
            if picture is not None:
                self.send(b"display", {"image/png": picture, "text/plain": plain(figure)})
        plot.close("all")

    # --- running -------------------------------------------------------------------------------------------

    def flush(self):
        for stream in {id(s): s for s in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)}.values():
            try:
                stream.flush()
            except Exception:
                pass

    def compiled(self, source):
        """(code of all but the last expression, code of that or None). The source is kept for tracebacks."""
        name = "<cell %d>" % self.number
        linecache.cache[name] = len(source), None, source.splitlines(True), name
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        tree = compile(source, name, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
            last = ast.Expression(tree.body.pop().value)
        return [part and compile(part, name, mode, flags, dont_inherit=True)
                for part, mode in ((tree, "exec"), (last, "eval"))]

    def await_(self, coroutine):
        import asyncio
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        task = self.loop.create_task(coroutine)
        try:
            return self.loop.run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            try:
                self.loop.run_until_complete(task)
            except asyncio.CancelledError:
                pass
            raise KeyboardInterrupt from None

    def find_site(self):
        """What pip has installed for the user since the interpreter began."""
        site = sys.modules.get("site")
        place = getattr(site, "USER_SITE", None)
        if place and site.ENABLE_USER_SITE and place not in sys.path and os.path.isdir(place):
            site.addsitedir(place)

    def run(self, source):
        """The cell. If a part of it awaits, all of it runs in the loop: asyncio.create_task() needs one."""
        self.find_site()
        parts = [part for part in self.compiled(source) if part is not None]
        if any([part.co_flags & CO_COROUTINE for part in parts]):
            value = self.await_(self.run_async(parts))
        else:
            value = [eval(part, self.space) for part in parts][-1]
        if len(parts) == 2:
            self.show_value(value)
        self.show_figures()

    async def run_async(self, parts):
        for part in parts:
            value = eval(part, self.space)
            if part.co_flags & CO_COROUTINE:
                value = await value
        return value

    def lines(self, error):
        """The traceback as the interpreter prints it, without our frames."""
        told = traceback.TracebackException.from_exception(error)
        seen, todo = set(), [told]
        while todo:
            one = todo.pop()
            if one is None or id(one) in seen:
                continue
            seen.add(id(one))
            one.stack = traceback.StackSummary.from_list([f for f in one.stack if f.filename != OURS])
            todo += [one.__cause__, one.__context__, *(getattr(one, "exceptions", None) or ())]
        text = "".join(told.format())
        half = MAX_TRACEBACK // 2
        return text if len(text) <= MAX_TRACEBACK else text[:half] + "\n...\n" + text[-half:]

    def tell_error(self, error):
        try:
            lines = self.lines(error)
        except Exception:
            lines = "%s, whose traceback cannot be told" % type(error).__name__
        words = [type(error).__name__, text_of(error)[:MAX_TRACEBACK], lines]
        words = [word.replace("\0", "\\0").encode("utf-8", "replace") for word in words]
        self.channel.hold(self.number, (b"e", b"\0".join(words)))

    def cell(self, number, source):
        self.number, self.results = number, 0
        failure = None
        try:
            signal.signal(signal.SIGINT, self.handler)
            self.run(source.decode())
        except Gone:
            raise
        except BaseException as error:
            failure = error
        try:
            handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt as error:  # in the last moment
            handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
            failure = failure or error
        self.handler = handler or signal.default_int_handler  # or what the cell has set
        if os.getpid() != self.pid:
            self.flush()
            os._exit(0 if failure is None else 1)  # a forked child that came to the cell's end
        if failure is not None:
            self.tell_error(failure)
        failure = None
        self.flush()
        self.channel.reply(number, (b"d", b""))


class Refused(Exception):
    """A checkpoint that cannot be made, or is not there: (one word for why, text)."""


class Twins:
    """Checkpoints: twins that were forked between two cells, each waiting for a word at a pipe of its own.

    A twin is forked by a process in between, which ends at once: so it is a child of the reaper, and os.wait() of a
    cell knows nothing of it. That end, which costs as much as a fork, is not waited for before the next request.
    """

    def __init__(self, cells, reaper):
        self.cells, self.channel, self.reaper = cells, cells.channel, reaper
        self.middle = None  # the process in between, as long as it was not waited for
        self.twins = {}  # of a checkpoint's number: the pipe's end, and the twin's pid
        self.identity = None
        self.opened, self.directory = (), None  # after an undo, until the next cell
        self.heard, self.say = os.pipe()  # what twins that were woken say, of all of them
        os.set_blocking(self.heard, False)
        try:
            os.set_inheritable(reaper, False)
            self.identity = os.fstat(reaper)[1:3]
        except OSError:
            pass  # there is none

    # --- what a fork does not keep by itself ----------------------------------------------------------------

    @staticmethod
    def threads():
        """Names of the other threads: they would not be in the twin."""
        known = getattr(sys.modules.get("threading"), "_active", {})
        others = [ident for ident in sys._current_frames() if ident != _thread.get_ident()]
        return [text_of(getattr(known.get(ident), "name", "thread %d" % ident)) for ident in others]

    @staticmethod
    def native_threads():
        """Names of threads that Python does not know, and that have not ended for the fork (as OpenBLAS's do)."""
        names = []
        try:
            for task in os.listdir("/proc/self/task"):
                if int(task) != os.getpid():
                    with open("/proc/self/task/%s/comm" % task) as file:
                        names.append(file.read().strip())
        except OSError:
            pass  # no /proc at this level, or one that has just ended
        return names

    @staticmethod
    def files():
        """(descriptor, offset, path or None) of open files. Twins have the offset in common."""
        found = []
        try:
            numbers = [int(name) for name in os.listdir("/proc/self/fd")]
        except OSError:
            numbers = range(256)
        for number in numbers:
            try:
                if number > 2 and stat.S_ISREG(os.fstat(number).st_mode):
                    found.append((number, os.lseek(number, 0, os.SEEK_CUR)))
            except OSError:
                pass
        return [(number, offset, Twins.path_of(number)) for number, offset in found]

    @staticmethod
    def path_of(number):
        try:
            return os.readlink("/proc/self/fd/%d" % number) if os.fstat(number).st_nlink else None
        except OSError:
            return None

    @staticmethod
    def random_state():
        """The module seeds itself anew in a forked child."""
        try:
            return sys.modules["random"].getstate()
        except Exception:
            return None  # it is not there, or another one of its name

    @staticmethod
    def working_directory():
        try:
            return os.getcwd()
        except OSError:
            return None  # it was removed

    @staticmethod
    def reopen(number, offset, path):
        """Of a file that was removed since, and is there again under its name."""
        if path is None or os.fstat(number).st_nlink:
            return
        flags = fcntl.fcntl(number, fcntl.F_GETFL) & (os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK)
        fd = os.open(path, flags | os.O_NOFOLLOW)
        os.lseek(fd, offset, os.SEEK_SET)
        os.dup2(fd, number, os.get_inheritable(number))
        os.close(fd)

    def arrive(self):
        """Before the first cell after an undo, when the workspace is what it was."""
        opened, directory = self.opened, self.directory
        self.opened, self.directory = (), None
        for one in opened:
            try:
                self.reopen(*one)
            except OSError:
                pass
        try:
            directory is None or os.chdir(directory)
        except OSError:
            pass

    def settle(self):
        middle, self.middle = self.middle, None
        if middle is not None:
            os.waitpid(middle, 0)

    def restore(self, files, state, directory):
        self.opened, self.directory = files, directory
        for number, offset, _ in files:
            try:
                os.lseek(number, offset, os.SEEK_SET)
            except OSError:
                pass
        try:
            state is None or sys.modules["random"].setstate(state)
        except Exception:
            pass
        self.channel.pid = self.cells.pid = os.getpid()

    # --- the twin ---------------------------------------------------------------------------------------------

    def wait(self, pipe):
        """Until it is woken: the number of the request. A twin that is of no use any more does not return."""
        try:  # where memory runs out, twins go before what works
            score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
            os.write(score, b"1000")
            os.close(score)
        except OSError:
            pass
        word = os.read(pipe, 32)
        if word[:1] != b"w":
            os._exit(0)
        request = int(word[1:].split()[0])
        os.write(self.say, b"%d " % os.getpid())
        while b"g" not in word:  # the kernel before us has done all that it had to
            word = os.read(pipe, 32) or os._exit(0)
        os.close(pipe)
        return request

    def fork_twin(self, number):
        """None; in the twin, when it has been woken, the number of the request that woke it."""
        every = signal.valid_signals()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, every)
        try:
            before = self.files(), self.random_state(), self.working_directory()
            pipe, end = os.pipe()
            told, tell = os.pipe()
            try:
                middle = os.fork()
            except OSError:
                for fd in pipe, end, told, tell:
                    os.close(fd)
                raise
            if middle == 0:
                try:
                    twin = os.fork()
                except OSError:
                    os._exit(1)
                if twin:
                    os.write(tell, b"%d" % twin)
                    os._exit(0)
                for fd in end, told, tell:
                    os.close(fd)
                woken = self.wait(pipe)
                while signal.sigtimedwait(every, 0):
                    pass  # what came meanwhile was for the kernel of then
                self.restore(*before)
                return woken
            os.close(pipe)
            os.close(tell)
            self.middle = middle
            pid = os.read(told, 16)
            os.close(told)
            if not pid:
                os.close(end)
                raise OSError("the twin could not be forked")
            self.twins[number] = end, int(pid)
            return None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    # --- the kernel -------------------------------------------------------------------------------------------

    def has_reaper(self):
        try:
            return self.identity is not None and os.fstat(self.reaper)[1:3] == self.identity
        except OSError:
            return False  # a cell closed it

    def make(self, request, number):
        """-> the number of the request that is to be answered. None: it was, by a twin that was woken."""
        names = self.threads()
        if names:
            raise Refused("threads", ", ".join(names))
        if not self.has_reaper():
            raise Refused("unsupported", "this kernel was started without a reaper, or a cell closed its descriptor")
        woken = self.fork_twin(number)
        names = woken is None and self.native_threads()
        if names:
            self.forget(request, number)
            raise Refused("threads", ", ".join(names))
        while woken is not None:
            request = None
            self.channel.reply(woken, (b"d", b""))
            try:
                woken = self.fork_twin(number)  # the checkpoint can be gone back to again
            except OSError:
                break
        return request

    def wake(self, request, number):
        if number not in self.twins or not self.has_reaper():
            raise Refused("gone", "")
        end, pid = self.twins.pop(number)
        if not self.has_woken(end, pid, b"w%d " % request):
            os.close(end)
            raise Refused("gone", "")
        os.write(self.reaper, pid.to_bytes(4, sys.byteorder))
        for later in [n for n in self.twins if n > number]:
            self.forget(request, later)
        try:
            os.write(end, b"g")  # from now on the requests are its own, and so is what twins say
        finally:
            os._exit(0)

    def has_woken(self, end, pid, word):
        """It says so before it goes on. One that was killed has its pipe closed."""
        while True:
            try:
                os.write(end, word)
                is_there = True
            except OSError:
                is_there = False
            try:
                if b"%d" % pid in os.read(self.heard, 4096).split():
                    return True
            except BlockingIOError:
                pass
            if not is_there:
                return False
            word = b" "
            time.sleep(0.0005)

    def forget(self, request, number):
        end, _ = self.twins.pop(number, (None, None))
        if end is None:
            return request
        try:
            os.write(end, b"q")
        except OSError:
            pass  # it has ended before
        os.close(end)
        return request

    def serve(self, kind, request, number):
        frames = [(b"d", b"")]
        try:
            request = {b"c": self.make, b"u": self.wake, b"f": self.forget}[kind](request, int(number))
        except (Refused, OSError) as error:
            words = error.args if isinstance(error, Refused) else ("fork", text_of(error))
            frames.insert(0, (b"e", b"\0".join([text_of(word).replace("\0", "\\0").encode("utf-8", "replace")[:4096]
                                                for word in (*words, "")])))
        if request is not None:
            self.channel.reply(request, *frames)


class PlotHook:
    """plt.show() shows in its place in the output, which the backend alone would not do."""

    def __init__(self, show):
        self.show = show

    def find_spec(self, name, path=None, target=None):
        if name != "matplotlib.pyplot":
            return None
        sys.meta_path.remove(self)
        import importlib.util
        spec = importlib.util.find_spec(name)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                module.show = self.show
            spec.loader.exec_module = exec_module
        return spec


def serve(space, requests, replies, reaper=-1):
    """Cells in `space` until there are no more requests."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel(requests, replies)
    cells = Cells(channel, space)
    twins = Twins(cells, reaper)
    os.environ.setdefault("MPLBACKEND", "agg")  # also for what a cell starts: there is no display
    sys.meta_path.insert(0, PlotHook(cells.show_figures))
    sys.path.insert(0, "")  # modules that lie beside the session's files
    sys.argv[:] = [""]
    try:
        channel.reply(0, (b"i", b""))
        while True:
            kind, number, data = channel.request()
            twins.settle()
            if kind == b"x":
                twins.arrive()
                cells.cell(number, data)
            elif kind in (b"c", b"u", b"f"):
                twins.serve(kind, number, data)
    except (Gone, ValueError):
        pass
    finally:
        cells.flush()
        os._exit(0)  # threads that cells have left do not keep it


if __name__ == "__main__":
    # a fresh __main__ for the cells: one that defines `os` or `serve` does not reach our functions
    sys.modules["__main__"] = type(sys)("__main__")
    serve(sys.modules["__main__"].__dict__, *map(int, sys.argv[1:4]))

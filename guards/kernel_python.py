# A kernel for Python: cells that share one namespace, as in a notebook.
#
#     python3 -I -B kernel_python.py REQUESTS REPLIES                          alone
#     python3 -I -B /code/.guard.py --kernel REQUESTS REPLIES /code/.kernel.py   behind the guard (python_guard.py)
#
# REQUESTS and REPLIES are descriptors, perhaps the same one. Both carry frames: «KIND ID LENGTH\n»,
# then LENGTH bytes. KIND is one letter, ID and LENGTH are decimal; a reply has its request's ID. src/kernel/frame.h
# reads the replies and has the bounds; it believes nothing of them, since a cell may write there what it likes.
#
#     x  request: run this source       i  reply: the kernel waits for its first request (ID 0)
#     r  reply: a result begins; its text says «value» (of the last expression) or «display»
#     m  reply: one form of that result: a MIME type, NUL, and its bytes (text as UTF-8, pictures raw)
#     e  reply: the cell failed: name, NUL, value, NUL, traceback without our frames
#     d  reply: the cell is done; nothing more comes for this ID
#
# Standard output and errors are the process's own and flushed before «d». SIGINT interrupts a cell and is ignored
# between cells. A kernel that cannot reply any more, because a cell closed its descriptor, ends; so does a child that a
# cell forked and did not end.
#
# Behind the guard this file runs under the guard's name in a namespace of its own, so that its imports are no cell's.
import _thread
import ast
import linecache
import os
import signal
import sys
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
        head = b""
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

    def reply(self, number, *frames):
        """Frames (kind, data), whole and in one piece whatever interrupts come and whatever threads reply, too."""
        if os.getpid() != self.pid:
            return  # a forked child: it is no kernel
        whole = b"".join([b"%s %d %d\n%s" % (kind, number, len(data), data) for kind, data in frames])
        if _thread.get_ident() != self.thread:
            with self.lock:
                return self.write(whole)
        late = []
        handler = signal.signal(signal.SIGINT, lambda *words: late.append(words))
        try:
            with self.lock:
                self.write(whole)
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

    def send(self, kind, forms):
        """One result, by its forms."""
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
        self.channel.reply(self.number, *frames)

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
            self.send(b"value", bundle(value))

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
        self.channel.reply(self.number, (b"e", b"\0".join(words)))

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


def serve(space, requests, replies):
    """Cells in `space` until there are no more requests."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel(requests, replies)
    cells = Cells(channel, space)
    os.environ.setdefault("MPLBACKEND", "agg")  # also for what a cell starts: there is no display
    sys.meta_path.insert(0, PlotHook(cells.show_figures))
    sys.path.insert(0, "")  # modules that lie beside the session's files
    sys.argv[:] = [""]
    try:
        channel.reply(0, (b"i", b""))
        while True:
            kind, number, data = channel.request()
            if kind == b"x":
                cells.cell(number, data)
    except (Gone, ValueError):
        pass
    finally:
        cells.flush()
        os._exit(0)  # threads that cells have left do not keep it


if __name__ == "__main__":
    # a fresh __main__ for the cells: one that defines `os` or `serve` does not reach our functions
    sys.modules["__main__"] = type(sys)("__main__")
    serve(sys.modules["__main__"].__dict__, int(sys.argv[1]), int(sys.argv[2]))

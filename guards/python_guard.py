# Courtesy layer for Python: module rules with clear errors, inside the interpreter.
#
# The kernel is the fence (namespaces, seccomp, landlock); this file is advisory. Code that wants
# past it gets past it and stands before the fence. What it must never do is alter an honest program.
#
# How this works. The launcher fills in RULES and runs `python3 -I -B /code/.guard.py /code/main.py ARG...`.
# This module *is* __main__; it installs an import wrapper and an audit hook, empties its own namespace to
# what a fresh __main__ has, and executes the user's file in it. The one trace left is a frame of this file
# below the user's when a program walks its own stack. Exceptions leave through `with exit_`, which drops
# that frame from the traceback, so that the interpreter itself prints it, exits and handles signals as always.
#
# Who is the user? A code object whose file is not below one of the interpreter's own directories
# (sys.path under -I). Only their imports are judged; the library's inner imports never are.
#
# Compiling this text takes 3 ms, and Python keeps no .pyc of what it is started with; so sandbox-policy compiles it,
# once for each policy:
#     python3 -ISB python_guard.py --compile FILE
# Python knows compiled code by its first bytes, whatever the file's name: as /code/.guard.py it costs 0.4 ms.
# It has no line to replace, so "\n#RULES " and JSON are appended (this text takes either).
# Import nothing here that is not in sys.modules by then.
RULES = None  # replaced by the launcher


def setup(rules, main):
    import builtins
    import posix
    import sys
    import _frozen_importlib as importer
    from _frozen_importlib_external import SourceFileLoader

    own = globals()  # of the copy made below: the mark by which our own frames are known
    real_import, real_gcd_import, getframe = builtins.__import__, importer._gcd_import, sys._getframe
    allowed = rules.get("allowed")
    blocked = rules.get("blocked") or ()
    restricted = rules.get("restricted")
    interpreter_only = rules.get("interpreter_only")
    report_fd = rules.get("report_fd")
    idle = rules.get("idle")  # nothing is refused here: an interpreter that waits for its work needs the rest of us
    here = getframe(1).f_code  # this file's module, below whose frame the user's program runs
    home, path = sys.argv[:2]

    # --- telling the launcher: one JSON line for each new (type, name) ------------------------------

    told = set()
    report_id = None

    def open_reports():
        nonlocal report_id
        try:
            report_id = posix.fstat(report_fd)[1:3] if type(report_fd) is int else None
            posix.set_inheritable(report_fd, False)
        except (OSError, TypeError, OverflowError):
            report_id = None

    def report(kind, name):
        # 64 short lines fit into any pipe. If the program closed the descriptor and got its number again for a
        # file of its own, we must not write there: hence the inode. The reader takes only these letters.
        name = "".join([c if c.isascii() and (c.isalnum() or c in "_.:/@ -") else "_" for c in name[:200]])
        key = kind, name
        if report_id is None or key in told or len(told) >= 64:
            return
        told.add(key)
        try:
            if posix.fstat(report_fd)[1:3] == report_id:
                posix.write(report_fd, ('{"type":"%s","detail":"%s"}\n' % key).encode())
        except OSError:
            pass

    def refuse_module(name, rule):
        report("blocked_module", name)
        if rule == "blocked_modules":
            text = "module %r is blocked at this risk level (blocked_modules)"
        else:
            text = "module %r is not among the modules allowed at this risk level (allowed_modules)"
        raise ImportError(text % name, name=name)

    def refuse_builtin(name, hint=""):
        report("blocked_builtin", name)
        raise NameError("%s is not available at this risk level (restricted)%s" % (name, hint))

    # --- judging names -------------------------------------------------------------------------------

    # The C half of a blocked module is the same thing under another name.
    refused = set(blocked)
    refused.update(["_" + name for name in blocked])
    for name, more in (("os", "posix"), ("subprocess", "_posixsubprocess"), ("importlib", "_imp"),
                       ("importlib", "_frozen_importlib"), ("importlib", "_frozen_importlib_external")):
        if name in refused:
            refused.add(more)
    # `from __future__ import ...` is syntax, __main__ is the user's own.
    granted = None if allowed is None else {"__future__", "__main__", *allowed}
    dotted = any("." in name for name in (*refused, *(granted or ())))
    verdicts = {}

    def covers(names, name):
        while name not in names:
            name = name.rpartition(".")[0]
            if not name:
                return False
        return True

    def judge(name):
        """The rule that refuses this module to user code, or an empty string."""
        rule = verdicts.get(name)
        if rule is None:
            rule = ""
            if covers(refused, name):
                rule = "blocked_modules"
            elif granted is not None and not covers(granted, name):
                rule = "allowed_modules"
            if len(verdicts) < 4096:  # names can be made up without end
                verdicts[name] = rule
        return rule

    def judge_from(name, fromlist):
        """For rules with dotted names: `from xml import dom` may mean the module xml.dom."""
        rule = judge(name)
        if rule == "blocked_modules" or not fromlist:
            return name, rule
        parts = ["%s.%s" % (name, item) for item in fromlist]
        for part in parts:
            if judge(part) == "blocked_modules":
                return part, "blocked_modules"
        if rule and all([not judge(part) for part in parts]):
            rule = ""
        return name, rule

    # --- judging callers -----------------------------------------------------------------------------

    library = tuple([entry.rstrip("/") + "/" for entry in sys.path if entry.strip("/")]) + ("<frozen ",)
    files = {here.co_filename: False}  # file name: is it the user's?

    def is_library_dict(space):
        # Only the very namespace of a loaded module counts: anyone can write a false __file__ into a dict.
        module = sys.modules.get(space.get("__name__"))
        return (module is not None and getattr(module, "__dict__", None) is space and space is not main
                and str(getattr(space.get("__spec__"), "origin", "")).startswith(library))

    def is_user(frame):
        if frame is None:
            return False
        name = frame.f_code.co_filename
        answer = files.get(name)
        if answer is None:
            answer = not name.startswith(library)
            if answer and name.startswith("<"):
                # "<string>": made by exec; the library's own when it runs in a library module
                return not is_library_dict(frame.f_globals)
            if len(files) < 4096:
                files[name] = answer
        return answer

    def skip(frame, module):
        """The first frame that is neither ours nor in this library module."""
        while frame is not None and (frame.f_globals is own or (
                str(frame.f_globals.get("__name__")).partition(".")[0] == module and not is_user(frame))):
            frame = frame.f_back
        return frame

    # IMPORT_NAME has another number in each Python; see below how it is found.
    opcodes = []

    def opcode(frame):
        code, at = frame.f_code.co_code, frame.f_lasti
        if sys.version_info < (3, 11):
            while code[at] == 144:  # EXTENDED_ARG: f_lasti did not step over it then
                at += 2
        return code[at]

    def trim(error):
        # Only our frames at the head: nested ones dropped themselves already. A bare `raise` after this
        # adds no new entry (CPython 3.11 and later; before that `excepthook` below cuts them out).
        trace = error.__traceback__
        while trace is not None and (trace.tb_frame.f_globals is own or trace.tb_frame.f_code is here):
            trace = trace.tb_next
        error.__traceback__ = trace

    # --- the import wrapper ----------------------------------------------------------------------------

    def check(frame, name, globals, locals, fromlist):
        """May this frame import this? Raises, or returns whether the frame is the user's."""
        if not is_user(frame):
            return False
        if (type(fromlist) is list and not fromlist and globals is locals and globals is frame.f_globals
                and "__import__" not in frame.f_code.co_names):
            return False  # PyImport_Import(): a function in C imports on its own behalf (strptime: _strptime)
        if restricted and opcode(frame) not in opcodes:
            refuse_builtin("__import__", "; use an import statement")
        name, rule = judge_from(name, fromlist) if dotted else (name, judge(name))
        # The last condition: the user wrapped builtins.__import__ and passes on a library's import.
        if rule and not (globals is not frame.f_globals and type(globals) is dict and is_library_dict(globals)):
            refuse_module(name, rule)
        return True

    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        try:
            if level == 0 and type(name) is str and (restricted or dotted or judge(name)):
                if check(getframe(0).f_back, name, globals, locals, fromlist) and restricted and name == "builtins":
                    return public
            return real_import(name, globals, locals, fromlist, level)
        except BaseException as error:
            trim(error)
            raise

    def _gcd_import(name, package=None, level=0):
        # importlib.import_module() and importlib.__import__() end here, and look it up here at each call.
        try:
            if level == 0 and type(name) is str and (restricted or judge(name)):
                if is_user(skip(getframe(0).f_back, "importlib")):
                    if judge(name):
                        refuse_module(name, judge(name))
                    if restricted and name == "builtins":
                        return public
            return real_gcd_import(name, package, level)
        except BaseException as error:
            trim(error)
            raise

    # warnings.warn(stacklevel=2) in a module's body means "the module that imports me"; it skips frames of this file.
    for function in (__import__, _gcd_import):
        function.__code__ = function.__code__.replace(co_filename="<frozen importlib._bootstrap>")
        function.__qualname__ = function.__name__
    __import__.__module__, _gcd_import.__module__ = "builtins", "_frozen_importlib"

    # --- restricted: the user's builtins -----------------------------------------------------------------

    public = None  # what `import builtins` gives
    if restricted:
        # Ask the interpreter which opcode an import statement is: importing `opcode` would cost more.
        own["__builtins__"]["__import__"] = lambda *_: opcodes.append(opcode(getframe(1)))
        import sys as _  # the statement whose instruction is looked at
        own["__builtins__"]["__import__"] = real_import

        module = type(sys)

        class Builtins(module):
            """The user's __builtins__: the interpreter reads its dict, attributes are closed."""

            def __getattribute__(self, name):
                try:
                    refuse_builtin("__builtins__")
                except NameError as error:
                    trim(error)
                    raise

        def stub(name):
            def refuse(*_, **__):
                try:
                    refuse_builtin(name)
                except NameError as error:
                    trim(error)
                    raise
            refuse.__name__ = refuse.__qualname__ = name
            return refuse

        closed, public = Builtins("builtins"), module("builtins", builtins.__doc__)
        for space in (module.__getattribute__(closed, "__dict__"), public.__dict__):
            space.update(builtins.__dict__)
            space.update(__import__=__import__, eval=stub("eval"), exec=stub("exec"), compile=stub("compile"))
            space.update(__loader__=None, __spec__=None)  # BuiltinImporter.load_module() is an import, too
        main["__builtins__"] = closed

    # --- the audit hook: the second line -------------------------------------------------------------------

    # What code without eval, exec and compile does not do either (new functions: types.FunctionType).
    makers = {"exec": "exec", "compile": "compile", "code.__new__": "compile", "function.__new__": "compile",
              "marshal.loads": "compile", "gc.get_objects": "gc", "gc.get_referrers": "gc", "gc.get_referents": "gc"}
    starters = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn"}
    ignored, actions = set(), {}

    def on_import(args):
        # Past our wrapper (its closure holds the real one). Blocked names only: compiled libraries
        # (Cython) import without a frame of their own, and would look like the user.
        frame = getframe(1).f_back
        if (frame is not None and frame.f_globals is not own and type(args[0]) is str
            and judge(args[0]) == "blocked_modules"
                and is_user(skip(frame, "importlib"))):
            refuse_module(args[0], "blocked_modules")

    def on_pickle(args):
        # The C unpickler's imports look like those of any C function.
        rule = judge(args[0]) if type(args[0]) is str else ""
        if rule == "blocked_modules" and is_user(skip(getframe(1).f_back, "pickle")):
            refuse_module(args[0], rule)

    def on_start(args):
        words = [word for word in args if type(word) in (str, bytes)] + [""]
        name = words[0] if type(words[0]) is str else words[0].decode("utf-8", "replace")
        report("blocked_command", (name.split() or ["unnamed"])[0])  # os.system: the first word says which
        raise PermissionError(1, "starting programs is not permitted at this risk level (interpreter_only)", name)

    def action_for(event):
        """What to do on an audit event, or None: decided once for each event's name."""
        top, dot, _ = event.partition(".")
        if event == "import":
            return on_import
        if event == "pickle.find_class":
            return on_pickle
        if interpreter_only and event in starters:
            return on_start
        if restricted and event in makers:
            return lambda args: refuse_builtin(makers[event]) if is_user(getframe(1).f_back) else None
        # `os.system` by way of tempfile._os: the event's name says whose function it is. Never for
        # sys and builtins: those events come by themselves (sys.unraisablehook, sys._getframe).
        if dot and judge(top) == "blocked_modules" and top not in ("sys", "builtins", "object", "code", "gc"):
            return lambda args: (refuse_module(top, "blocked_modules")
                                 if is_user(skip(getframe(1).f_back, top)) else None)
        return None

    ignored.add("sys._getframe")  # we cause it ourselves

    def audit(event, args):
        # fast path: every id() and open() of the program comes through here
        if event in ignored:
            return
        action = actions.get(event) or action_for(event)
        if action is None:
            ignored.add(event)
            return
        actions[event] = action
        try:
            action(args)
        except BaseException as error:
            trim(error)
            raise

    # --- leaving the user's program ---------------------------------------------------------------------------

    def excepthook(kind, error, trace):
        # Python 3.10 and before: `raise` keeps the traceback it began with, so ours are cut out at the end.
        seen, todo = set(), [error]
        while todo:
            each = todo.pop()
            if each is None or id(each) in seen:
                continue
            seen.add(id(each))
            todo += each.__cause__, each.__context__
            trim(each)
            entry = each.__traceback__
            while entry is not None:
                while entry.tb_next is not None and entry.tb_next.tb_frame.f_globals is own:
                    entry.tb_next = entry.tb_next.tb_next
                entry = entry.tb_next
        sys.__excepthook__(kind, error, error.__traceback__)

    class Exit:
        finish = staticmethod(lambda error: None)

        def __enter__(self):
            pass

        def __exit__(self, kind, error, trace):
            self.finish(error)
            if error is not None:
                trim(error)
                if sys.version_info < (3, 11) and sys.excepthook is sys.__excepthook__:
                    sys.excepthook = excepthook

    def hide_modules():
        """Modules that were imported beforehand (src/fork), of those that the level blocks."""
        before = sys.__dict__.pop("sandbox_before", None)  # what plain python has in sys.modules
        for name in {*sys.modules} - {*before} if before is not None else ():
            if judge(name) == "blocked_modules":
                del sys.modules[name]

    def begin():
        """What a fork does not have in common with others, and the frame below whose the user's program runs."""
        nonlocal here, mark
        here, mark = getframe(1).f_code, []
        open_reports()
        rehearse()
        random = sys.modules.get("numpy.random")  # random and ssl see the fork themselves
        if random is not None:
            random.seed()

    mark = None  # made when all that is not the program's is there

    def rehearse():
        pass

    def prepare_finish():
        """A fork leaves without taking down its interpreter, where the program cannot tell.

        That would write to every object there is, and each first write to a page copies it: a third of a short run.
        A program cannot tell when it has ended well, what it has to do at its end is done, and nothing that it has
        made and that is alive does something more when it is destroyed.
        """
        nonlocal rehearse
        leave = sys.__dict__.pop("sandbox_leave", None)  # of src/fork: exit() of C, with all that belongs to it
        if leave is None or sys.version_info < (3, 10):  # whose atexit tells errors in another way
            return
        before = {*sys.modules}
        import _weakref
        import atexit
        import gc
        for name in {*sys.modules} - before:
            del sys.modules[name]
        gc.freeze()  # what is there by now is none of the program's: not looked at, and not copied by looking
        known, function, builtin = sys.stdlib_module_names, type(prepare_finish), type(len)
        modules, get_objects, frames = sys.modules, gc.get_objects, sys._current_frames
        run_handlers, count_handlers, unfreeze = atexit._run_exitfuncs, atexit._ncallbacks, gc.unfreeze
        reference, own_handlers = _weakref.ref, count_handlers()
        def has_threads():
            threading = modules.get("threading")
            return len(frames()) > 1 or threading is not None and bool(threading._threading_atexits)

        def has_mark(objects):
            return any([each is mark for each in objects])

        def acts_when_destroyed():
            objects = get_objects()
            if not has_mark(objects):
                return True  # it was made after that: the program has called freeze(), too
            # every finalizer has this name: those of files, generators and sockets, too. Instances of a class without
            # references of its own (Py_TPFLAGS_HAVE_GC) are not among the objects: there the class counts
            kinds = {*map(type, objects)}
            kinds.update([each for each in objects if isinstance(each, type) and not each.__flags__ & 1 << 14])
            if any([hasattr(kind, "__del__") for kind in kinds]):
                return True
            called = [each.__callback__ for each in objects if type(each) is reference]
            return any([call is not None and not is_pythons_own(call) for call in called])

        def is_pythons_own(call):  # of weak dictionaries and sets, and of _abc's
            if type(call) is function:
                return call.__module__ in known
            return type(call) is builtin and type(call.__self__) is reference

        def is_over():
            if has_threads() or count_handlers() != own_handlers:
                return False
            run_handlers()  # of modules that were imported before; one of the program's may fail, and would show us
            for stream in sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__:
                stream.flush()
            return not has_threads() and not acts_when_destroyed()

        def finish(error):
            try:
                if error is None and is_over():
                    leave()
            except BaseException:
                pass  # the interpreter's own end tells what is wrong
            if has_mark(get_objects()):  # else by the program: as without us
                unfreeze()  # what is not looked at is not destroyed either

        Exit.finish = staticmethod(finish)

        def once():
            """What every program needs is touched before there is one: a fork has to copy each page once."""
            add_hook()
            with open(path, "rb") as file:  # it is empty
                file.read().decode()
            exec(make_code(b"[].append(len('%d' % 1))\n"), {"__file__": path})
            space = {**main}
            for name in [*space]:
                if name[:2] != "__":
                    del space[name]
            space.update(__doc__=None, __loader__=SourceFileLoader("__main__", path))
            acts_when_destroyed()
            for stream in sys.stdout, sys.stderr:
                stream.write("")
                stream.flush()

        rehearse = once

    class Caught(Exception):
        pass

    def catch(args):
        raise Caught(args[0])

    def compile_fast(source):
        """compile(source, path, "exec") without the 0.8 ms that its first call takes to set up the ast module.

        exec() of a string has the code object ready at its audit event: there we take it, give it its file
        name as the import system does with a moved .pyc, and let nothing run. Whatever is not smooth (errors,
        and warnings, which would name a wrong file) is left to compile().
        """
        import _imp
        import _warnings
        filters = _warnings.filters
        filters.insert(0, ("error", None, Warning, None, 0))
        actions["exec"] = catch
        ignored.discard("exec")
        try:
            _warnings._filters_mutated()
            exec(source, {})
        except Caught as caught:
            code = caught.args[0]
            _imp._fix_co_filename(code, path)
            return code
        except Exception:
            return None
        finally:
            del filters[0], actions["exec"]
            _warnings._filters_mutated()

    has_hook = False

    def add_hook():
        nonlocal has_hook
        if not idle and not has_hook:
            sys.addaudithook(audit)
        has_hook = True

    def make_code(source):
        return not idle and compile_fast(source) or compile(source, path, "exec", dont_inherit=True)

    def read_code():
        add_hook()
        try:
            with open(path, "rb") as file:
                source = file.read()
        except OSError as error:
            sys.stderr.write("%s: can't open file %r: [Errno %d] %s\n"
                             % (sys.executable, path, error.errno, error.strerror))
            sys.exit(2)
        try:
            source.decode()
        except UnicodeDecodeError as error:  # compile() is laxer and has other words than `python3 FILE`
            if b"coding" not in b"".join(source.split(b"\n", 2)[:2]):
                raise SyntaxError("Non-UTF-8 code starting with '\\x%.2x' in file %s on line %d, but no encoding "
                                  "declared; "
                                  "see https://peps.python.org/pep-0263/ for details"
                                  % (source[error.start], path, source.count(b"\n", 0, error.start) + 1)) from None
        return make_code(source)

    def fresh_main():
        """Make __main__ what it is when the interpreter runs a file. Our functions do not live in it."""
        del sys.argv[0]
        if home in getattr(sys, "orig_argv", ()):
            sys.orig_argv.remove(home)
        for name in [*main]:
            if name[:2] != "__":
                del main[name]
        main.update(__doc__=None, __file__=path, __loader__=SourceFileLoader("__main__", path))
        if not idle:
            builtins.__import__, importer._gcd_import = __import__, _gcd_import
        report("begun", "program")  # the interpreter's own start is over
        return main

    def run_kernel(*descriptors):
        """The cells of a kernel (kernel_python.py) in place of a file. Its code has our file name: it is no user's."""
        with open(path, "rb") as file:
            source = file.read()
        kernel = type(sys)("sandbox_kernel")
        kernel.__dict__.update(__file__=here.co_filename, __builtins__=own["__builtins__"])
        exec(compile(source, here.co_filename, "exec", dont_inherit=True), kernel.__dict__)
        add_hook()
        del fresh_main()["__file__"]
        kernel.serve(main, *descriptors)

    # Python 3.9 gives a frame the builtins of the one below, if both have the same globals: put one between.
    execute = exec if sys.version_info >= (3, 10) else lambda code, space: exec(code, space)
    return Exit(), execute, read_code, fresh_main, run_kernel, hide_modules, prepare_finish, begin


def read_rules(text):
    return eval(text, {"true": True, "false": False, "null": None, "__builtins__": {}})


def find_rules():
    """Rules that came as the file's last line, or sandbox-policy's call to compile this file."""
    import sys
    with open(__file__, "rb") as file:
        source = file.read()
    _, _, text = source.rpartition(b"\n#RULES ")
    try:
        return read_rules(text)
    except Exception:
        if sys.argv[1:2] != ["--compile"]:
            sys.exit("sandbox guard: no rules were filled in: this file is for the launcher to start")
    import marshal
    from _frozen_importlib_external import MAGIC_NUMBER
    with open(sys.argv[2], "wb") as file:
        file.write(MAGIC_NUMBER + bytes(12))  # PEP 552 header: flags, time and size, which nothing reads here
        file.write(marshal.dumps(compile(source, "/code/.guard.py", "exec", optimize=2)))
    sys.exit()


def take_option(name, count):
    """The words behind an option that stands before main.py, which is taken out of sys.argv; or None."""
    import sys
    if sys.argv[1:2] != [name]:
        return None
    taken = sys.argv[2:2 + count]
    for words in sys.argv, getattr(sys, "orig_argv", []):
        at = words.index(name) if name in words else len(words)
        del words[at:at + 1 + count]
    return taken


def add_packages(place, rules):
    """A package set is found behind the standard library and before the host's own packages, and is a library itself.

    It is no site directory: its .pth files are not read, and no sitecustomize of it is imported (that is over by now).
    Where only some modules are allowed, those of the set are, too; none of them stands for one of the standard library.
    """
    import posix
    import sys
    at = 0
    while at < len(sys.path) and not sys.path[at].endswith(("/dist-packages", "/site-packages")):
        at += 1
    if rules.get("allowed") is not None:
        known = {*sys.builtin_module_names, *sys.modules}
        for inner in sys.path[:at]:
            try:
                known.update([name.partition(".")[0] for name in posix.listdir(inner)])
            except OSError:
                pass  # python311.zip is not there
        names = {name.partition(".")[0] for name in posix.listdir(place)} - known
        rules["allowed"] = [*rules["allowed"], *[name for name in names if name.isidentifier()]]
    sys.path.insert(at, place)


def be_parent():
    """For src/fork, in the interpreter that is forked: the last lines of this file, for each fork."""
    import marshal
    import sys
    from _frozen_importlib_external import MAGIC_NUMBER
    is_new = "gc" not in sys.modules
    import gc
    if is_new:
        del sys.modules["gc"]
    code = compile("begin()\nwait(int(*PARKED))\nwith exit_:\n    execute(read_code(), fresh_main())\n",
                   "/code/.guard.py", "exec", optimize=2)
    sys.sandbox_rest = MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
    gc.freeze()


def wait(fd):
    """Until the note is there: its length in bytes and a newline; the number of arguments, the arguments, the
    environment, each ended by NUL."""
    import os
    import posix
    import sys
    compile("0", "", "exec", dont_inherit=True)  # its first call takes 0.8 ms
    os.fsdecode(b"%d" % int(b"1")).partition("\n")
    note, length = b"", None
    while length is None or len(note) < length:
        chunk = posix.read(fd, 65536)
        if not chunk:
            posix._exit(0)  # it was never needed
        note += chunk
        if length is None and b"\n" in note:
            head, _, note = note.partition(b"\n")
            length = int(head)
    posix.write(fd - 1, b"t")  # taken: from here on the run counts
    posix.close(fd)
    posix.close(fd - 1)
    count, *words = note.split(b"\0")[:-1]
    arguments = [os.fsdecode(word) for word in words[:int(count)]]
    for words_of in sys.argv, getattr(sys, "orig_argv", []):
        words_of += arguments
    for pair in words[int(count):]:
        name, _, value = pair.partition(b"=")
        os.environb[name] = value


# An interpreter that is forked for each run (src/fork) runs this file before, and be_parent()'s lines in each fork.
IS_PARENT = "sandbox_rules" in __import__("sys").__dict__
if IS_PARENT:
    RULES = read_rules(__import__("sys").__dict__.pop("sandbox_rules"))
if RULES is None:
    RULES = find_rules()
# python3 -I -B /code/.guard.py --kernel REQUESTS REPLIES REAPER [--packages DIR] /code/.kernel.py
KERNEL = take_option("--kernel", 3)
# python3 -I -B /code/.guard.py --packages DIR /code/main.py
PACKAGES = take_option("--packages", 1)
if PACKAGES is not None:
    add_packages(*PACKAGES, RULES)
# An interpreter that was started before there was any work gets it at this descriptor, and main.py is empty until then:
#     python3 -I -B /code/.guard.py --parked FD /code/main.py
PARKED = take_option("--parked", 1)
# A copy in a namespace of its own, with its own builtins: neither a global named `len` in the user's
# program nor a changed builtin may reach our functions.
setup = type(setup)(setup.__code__, {"__builtins__": dict(__builtins__.__dict__), "__name__": "sandbox_guard"})
exit_, execute, read_code, fresh_main, run_kernel, hide_modules, prepare_end, begin = setup(RULES, globals())
if PARKED is not None:
    hide_modules()
    prepare_end()
if IS_PARENT:
    be_parent()
else:
    begin()
    if PARKED is not None:
        wait(int(*PARKED))
    with exit_:
        if KERNEL is None:
            execute(read_code(), fresh_main())
        else:
            run_kernel(*map(int, KERNEL))

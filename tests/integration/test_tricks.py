"""The well-known tricks against the courtesy layers of Python, Node and bash, at medium and high.

Each either meets the layer's refusal, which then stands in the result by name, or a plain «no» of interpreter or kernel
(«stopped»), or it gets past the layer. Whatever it was: a witness outside (`Outside`) sees that the kernel's fence
held. A trick that gets past goes on to attack with what it got: it reads and writes files outside, looks for processes
outside and kills one, connects to a socket of ours on loopback, and starts a fresh interpreter without any layer that
does all of it again.

The tables say what is expected at (medium, high), so that a trick that begins to be refused, or to work, is noticed.
"""
import contextlib
import json
import os
import secrets
import socket
import subprocess

import pytest
from helpers import need_language

LEVELS = ("medium", "high")
# with them: test_at_high_risk_nothing_changed_at_all in test_watch.py
pytestmark = pytest.mark.usefixtures("no_kill_switches")


class Outside:
    """What must not be touched: a file, a directory, a process, two listening sockets."""

    def __init__(self, box):
        self.secret, self.marker = "canary-" + secrets.token_hex(12), "victim-" + secrets.token_hex(12)
        self.canary = box.file("canary.txt", self.secret + "\n")
        self.drop = box.directory("drop")
        self.victim = subprocess.Popen([self.marker, "300"], executable="/bin/sleep")
        box.processes.append(self.victim)
        self.listeners = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
        self.abstract = "sandbox-agent-test-" + secrets.token_hex(8)
        self.listeners[1].bind("\0" + self.abstract)
        self.listeners[1].listen()
        for s in self.listeners:
            s.setblocking(False)
        self.names = {"canary": str(self.canary), "drop": str(self.drop / "dropped"), "dropdir": str(self.drop),
                      "victim": self.victim.pid,
                      "port": self.listeners[0].getsockname()[1], "abstract": self.abstract}

    def check(self, r):
        told = r["stdout"] + r["stderr"]
        assert self.secret not in told, "a file outside was read: %s" % told
        assert self.marker not in told, "a process outside was seen: %s" % told
        assert (os.listdir(self.drop) == []
                and self.canary.read_text() == self.secret + "\n"), "a file outside was written: %s" % told
        assert self.victim.poll() is None, "a process outside was killed: %s" % told
        for s in self.listeners:
            with contextlib.suppress(BlockingIOError):
                s.accept()
                pytest.fail("a socket outside was reached: %s" % told)

    def close(self):
        for s in self.listeners:
            s.close()


@pytest.fixture
def outside(box):
    o = Outside(box)
    yield o
    o.close()


def verdict(r):
    """What became of the trick: curl and its like are tried afterwards in any case."""
    if "PAST" in r["stdout"]:
        return "past"
    return "; ".join("%s %s" % (v["type"], v["detail"]) for v in r["violations"] if v["type"].startswith("blocked_")
                     and v["detail"] not in ("curl", "wget", "nc")) or "stopped"


def check(box, outside, language, code, level, expected, **keys):
    need_language(language)
    r = box.json(language, code, profile=box.derive(level, keys))
    outside.check(r)
    assert r["reason"] in ("completed", "error", "signal"), r
    assert verdict(r) == expected, (verdict(r), r["stdout"], r["stderr"])
    return r


def test_the_witness_sees_what_happens(box, outside):
    """Without a fence the same attack is noticed, each part of it: this file's tests can fail."""
    code = FRESH_PYTHON % {**outside.names, "victim": 2**22 + 1}
    done = subprocess.run(["/usr/bin/python3", "-I", "-S", "-c", code], capture_output=True, text=True)
    assert outside.secret in done.stdout and outside.marker in done.stdout, done
    assert os.listdir(outside.drop) == ["dropped"]
    for s in outside.listeners:
        s.accept()


# ---- Python ----

# All of it, in an interpreter without a layer. (The attack on the process itself: see ATTACK_PYTHON.)
FRESH_PYTHON = """
import os, socket
def t(what, f):
    try: print(what, f(), flush=True)
    except Exception as e: print(what, type(e).__name__, e, flush=True)
print('FRESH', flush=True)
t('read', lambda: open(%(canary)r).read())
t('write', lambda: open(%(drop)r, 'w').write('x'))
t('kill', lambda: os.kill(%(victim)d, 9))
t('look', lambda: [open('/proc/' + p + '/cmdline').read() for p in os.listdir('/proc') if p.isdigit() and os.path.exists('/proc/' + p + '/cmdline')])
t('connect', lambda: socket.create_connection(('127.0.0.1', %(port)d), 3))
def abstract():
    s = socket.socket(socket.AF_UNIX); s.settimeout(3); s.connect(chr(0) + %(abstract)r)
t('abstract', abstract)
"""

# g gives a function of the module os by its name. `start` comes last: it replaces the process.
ATTACK_PYTHON = """
def attack(g):
    print('PAST', flush=True)
    def t(what, f):
        try: print(what, f(), flush=True)
        except BaseException as e: print(what, type(e).__name__, e, flush=True)
    t('read', lambda: g('read')(g('open')(%(canary)r, 0), 200))
    t('write', lambda: g('write')(g('open')(%(drop)r, 65, 0o666), b'x'))
    t('kill', lambda: g('kill')(%(victim)d, 9))
    t('look', lambda: [g('read')(g('open')('/proc/' + p + '/cmdline', 0), 4000) for p in g('listdir')('/proc') if p.isdigit()])
    t('start', lambda: g('execv')('/usr/bin/python3', ['python3', '-I', '-S', '-c', FRESH]))
def of(module): return lambda name: getattr(module, name)
def in_(space): return lambda name: space[name]
def classes(): return ().__class__.__base__.__subclasses__()
"""

PYTHON = {  # name: (code, at medium, at high)
    "subclasses: os._wrap_close": ("attack(in_([c for c in classes() if c.__name__ == "
                                   "'_wrap_close'][0].__init__.__globals__))", "past", "past"),
    "subclasses: warnings.catch_warnings": ("import warnings\nw = [c for c in classes() if c.__name__ == "
                                            "'catch_warnings'][0]\nm = w()._module\nattack(of(m.sys.modules['os']))",
                                            "past", "blocked_module warnings"),
    "subclasses: Popen": ("import webbrowser\np = [c for c in classes() if c.__name__ == 'Popen'][0]\n"
                          "print('PAST', p(['/usr/bin/python3', '-c', FRESH]).wait())", "blocked_module subprocess",
                          "blocked_module webbrowser"),
    "subclasses: a loader": ("l = [c for c in classes() if c.__name__ == 'BuiltinImporter'][0]\n"
                             "attack(of(l.load_module('posix')))", "past", "past"),
    "sys.modules": ("import sys\nattack(of(sys.modules['os']))", "past", "blocked_module sys"),
    "sys.modules by way of a library module": ("import dataclasses\nattack(of(dataclasses.sys.modules['os']))", "past",
                                               "blocked_module dataclasses"),
    "another module's import": ("import tempfile\nattack(of(tempfile._os))", "past", "blocked_module tempfile"),
    "importlib.import_module": ("import importlib\nattack(of(importlib.import_module('os')))", "blocked_module os",
                                "blocked_module importlib"),
    "importlib.reload": ("import importlib, sys\nattack(of(importlib.reload(sys.modules['os'])))", "past",
                         "blocked_module importlib"),
    "importlib.util.find_spec": ("import importlib.util as u\ns = u.find_spec('os')\nm = u.module_from_spec(s)\n"
                                 "s.loader.exec_module(m)\nattack(of(m))", "past", "blocked_module importlib.util"),
    "_frozen_importlib": ("import _frozen_importlib as f\nattack(of(f.BuiltinImporter.load_module('posix')))", "past",
                          "blocked_module _frozen_importlib"),
    "_imp": ("import _imp, sys\nclass S: name = 'posix'; origin = None\nattack(of(_imp.create_builtin(S)))", "past",
             "blocked_module _imp"),
    "__loader__": ("attack(of(__loader__.get_data.__globals__['_os']))", "past", "past"),
    "__builtins__.__loader__": ("attack(of(__builtins__.__loader__.load_module('posix')))", "past",
                                "blocked_builtin __builtins__"),
    "print.__self__": ("attack(of(print.__self__.__import__('os')))", "blocked_module os",
                       "blocked_builtin __import__"),
    "gc.get_objects": ("import gc\nattack(of([o for o in gc.get_objects() if type(o) is type(gc) and o.__name__ == "
                       "'posix'][0]))", "past", "blocked_module gc"),
    "ctypes": ("import ctypes\nlibc = ctypes.CDLL(None)\nprint('PAST', libc.getpid(), flush=True)\n"
               "buf = ctypes.create_string_buffer(200)\nfd = libc.open(CANARY, 0)\n"
               "print(fd, libc.read(fd, buf, 200), buf.value, libc.kill(VICTIM, 9), libc.open(DROP, 65, 0o666), "
               "flush=True)\n"
               "argv = (ctypes.c_char_p * 6)(b'python3', b'-I', b'-S', b'-c', FRESH.encode(), None)\n"
               "print(libc.execv(b'/usr/bin/python3', argv))", "past", "blocked_module ctypes"),
    "_ctypes": ("import _ctypes\nprint('PAST', _ctypes.dlopen(None, 0) > 0)", "past", "blocked_module _ctypes"),
    "_posixsubprocess": ("import _posixsubprocess as p, sys\n"
                         "print('PAST', p.fork_exec([b'/usr/bin/python3', b'-c', FRESH.encode()], "
                         "[b'/usr/bin/python3'], True, (), None, None, "
                         "-1, -1, -1, -1, -1, -1, -1, -1, False, False, -1, None, None, None, -1, None, True))",
                         "blocked_module _posixsubprocess", "blocked_module _posixsubprocess"),
    "marshal": ("import marshal\ndef f():\n    import os\n    return os\n"
                "code = marshal.loads(marshal.dumps(f.__code__.replace(co_filename='<frozen x>')))\n"
                "attack(of(type(f)(code, globals())()))", "past", "blocked_module marshal"),
    "types.CodeType": ("def f():\n    import os\n    return os\n"
                       "attack(of(type(f)(f.__code__.replace(co_filename='<frozen x>'), globals())()))", "past",
                       "blocked_builtin compile"),
    "types.FunctionType with other globals": ("def f():\n    import os\n    return os\n"
                                              "attack(of(type(f)(f.__code__, {'__builtins__': print.__self__})()))",
                                              "blocked_module os", "blocked_builtin compile"),
    "a false file name": ("exec(compile('import os\\nattack(of(os))', '<frozen x>', 'exec'))", "past",
                          "blocked_builtin compile"),
    "exec": ("exec('import os')\nattack(of(os))", "blocked_module os", "blocked_builtin exec"),
    "a word in pieces": ("attack(of(__import__('o' + 's')))", "blocked_module os", "blocked_builtin __import__"),
    "the guard's own closure": ("i = __import__.__code__.co_freevars.index('real_import')\n"
                                "attack(of(__import__.__closure__[i].cell_contents('os')))", "past", "past"),
    "frames": ("try: 1 / 0\nexcept ZeroDivisionError as e: f = e.__traceback__.tb_frame\nwhile f.f_back: f = f.f_back\n"
               "g = f.f_globals['setup'].__globals__ if 'setup' in f.f_globals else f.f_globals\n"
               "attack(of(f.f_builtins['__import__']('os')))", "blocked_module os", "blocked_builtin __import__"),
    "sys.addaudithook": ("import sys\nsys.addaudithook(lambda *a: None)\nimport os\nattack(of(os))",
                         "blocked_module os", "blocked_module sys"),
    "a trace function": ("import sys\nsys.settrace(lambda frame, what, arg: frame.f_locals.update(rule='') or None)\n"
                         "import os\nattack(of(os))", "blocked_module os", "blocked_module sys"),
    "builtins.__import__ replaced": ("import builtins, importlib\nbuiltins.__import__ = importlib.__import__\n"
                                     "import os\nattack(of(os))", "blocked_module os", "blocked_module importlib"),
    "pkgutil.resolve_name": ("import pkgutil\nattack(of(pkgutil.resolve_name('os')))", "past",
                             "blocked_module pkgutil"),
    "pickle": ("import pickle\npickle.loads(b'cposix\\nsystem\\n(S\"echo PAST\"\\ntR.')", "blocked_module posix",
               "blocked_module pickle"),
    "code read from /proc/self/fd": ("print('PAST' if '.guard' in open('/proc/self/cmdline').read() else '')", "past",
                                     "stopped"),
    "/proc/self/exe": ("import sys\nattack(of(sys.modules['posix'])) if "
                       "sys.modules['posix'].readlink('/proc/self/exe') else None", "past", "blocked_module sys"),
    "/proc/self/mem": ("m = open('/proc/self/mem', 'r+b', 0)\nm.seek(id(print))\n"
                       "print('PAST', len(m.read(8)), m.seek(id(print)), flush=True)", "stopped", "stopped"),
    "the report's descriptor": ("import io\nr = io.FileIO(15, 'w')\nprint('PAST', r.write(b'x' * 10000), flush=True)\n"
                                "r.write(b'{\"type\":\"blocked_module\",\"detail\":\"of_its_own\"}\\n')", "past",
                                "blocked_module io"),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", PYTHON)
def test_python(box, outside, name, level):
    code, *expected = PYTHON[name]
    head = ("FRESH = %r\nCANARY, DROP, VICTIM = %r, %r, %d\n"
            % (FRESH_PYTHON % outside.names, outside.names["canary"].encode(), outside.names["drop"].encode(),
               outside.names["victim"]))
    check(box, outside, "python", head + ATTACK_PYTHON % outside.names + code + "\n", level,
          expected[LEVELS.index(level)])


# ---- Node ----

FRESH_NODE = """
const fs = require('fs'), net = require('net');
const t = (what, f) => { try { console.log(what, f()); } catch (e) { console.log(what, e.message); } };
console.log('FRESH');
t('read', () => fs.readFileSync(%(canary)s, 'utf8'));
t('write', () => fs.writeFileSync(%(drop)s, 'x'));
t('kill', () => process.kill(%(victim)d, 9));
t('look', () => fs.readdirSync('/proc').filter((p) => p > 0).map((p) => fs.readFileSync(`/proc/${p}/cmdline`, 'utf8')));
net.connect(%(port)d, '127.0.0.1').on('error', (e) => console.log('connect', e.message));
net.connect('\\0' + %(abstract)s).on('error', (e) => console.log('abstract', e.message));
"""
# What was reached is one of these modules; each attacks with what it can.
ATTACK_NODE = """
const t = (what, f) => { try { console.log(what, f()); } catch (e) { console.log(what, e.message); } };
const attack = {
  fs(fs) {
    console.log('PAST', typeof fs.readFileSync);
    t('read', () => fs.readFileSync(%(canary)s, 'utf8'));
    t('write', () => fs.writeFileSync(%(drop)s, 'x'));
    t('look', () => fs.readdirSync('/proc').filter((p) => p > 0).map((p) => fs.readFileSync(`/proc/${p}/cmdline`, 'utf8')));
  },
  start(cp) {
    console.log('PAST', typeof cp.spawnSync);
    const r = cp.spawnSync(process.execPath, ['--v8-pool-size=0', '-e', FRESH], {encoding: 'utf8'});
    console.log(r.stdout, r.stderr, r.error);
  },
  net(net) {
    console.log('PAST', typeof net.connect);
    net.connect(%(port)d, '127.0.0.1').on('error', (e) => console.log('connect', e.message));
    net.connect('\\0' + %(abstract)s).on('error', (e) => console.log('abstract', e.message));
  },
};
t('kill', () => process.kill(%(victim)d, 9));
"""
NODE = {
    "require": ("attack.fs(require('fs'));", "blocked_module fs", "blocked_module fs"),
    "require of node:": ("attack.start(require('node:child_process'));", "blocked_module child_process",
                         "blocked_module child_process"),
    "import()": ("import('net').then((m) => attack.net(m.default));", "blocked_module net", "blocked_module net"),
    "createRequire": ("attack.fs(require('module').createRequire('/code/main.js')('fs'));", "blocked_module fs",
                      "blocked_module fs"),
    "process.binding": ("const fs = process.binding('fs');\nconsole.log('PAST', typeof fs.open);", "blocked_module fs",
                        "blocked_module fs"),
    "process.binding of spawn_sync": ("const s = process.binding('spawn_sync');\n"
                                      "console.log('PAST', s.spawn({file: process.execPath, args: ['node', '-e', "
                                      "FRESH], stdio: []}));", "blocked_module child_process",
                                      "blocked_module child_process"),
    "process._linkedBinding": ("console.log('PAST', typeof process._linkedBinding('fs'));", "blocked_module fs",
                               "blocked_module fs"),
    "process.mainModule.require": ("attack.fs(process.mainModule.require('fs'));", "blocked_module fs",
                                   "blocked_module fs"),
    "module.constructor._load": ("attack.start(module.constructor._load('child_process'));",
                                 "blocked_module child_process", "blocked_module child_process"),
    "module.constructor._cache": ("const m = Object.values(module.constructor._cache).find((m) => "
                                  "m.filename.includes('guard'));\nattack.fs(m.require('fs'));", "stopped", "stopped"),
    "a Module of its own": ("const M = module.constructor, m = new M('/usr/lib/x.js');\n"
                            "m.filename = '/usr/share/nodejs/x.js'; m.paths = [];\nattack.fs(m.require('fs'));",
                            "blocked_module fs", "blocked_module fs"),
    "code as a library's": ("const M = module.constructor, m = new M('/usr/share/nodejs/x.js');\n"
                            "m.filename = '/usr/share/nodejs/x.js'; m.paths = [];\n"
                            "m._compile('exports.fs = require(\"fs\")', '/usr/share/nodejs/x.js');\n"
                            "attack.fs(m.exports.fs);", "past", "past"),
    "Function": ("attack.fs(Function('return process.mainModule.require(\"fs\")')());", "blocked_module fs",
                 "blocked_module fs"),
    "(() => {}).constructor": ("attack.start((() => {}).constructor('return "
                               "process.mainModule.require(\"child_process\")')());", "blocked_module child_process",
                               "blocked_module child_process"),
    "vm": ("const vm = require('vm');\nattack.fs(vm.runInThisContext('process').mainModule.require('fs'));",
           "blocked_module fs", "blocked_module fs"),
    "vm with a library's name": ("const vm = require('vm');\n"
                                 "const f = vm.runInThisContext('(r) => r(\"fs\")', {filename: "
                                 "'/usr/share/nodejs/x.js'});\nattack.fs(f(require));", "past", "past"),
    "worker_threads with execArgv": ("const {Worker} = require('worker_threads');\n"
                                     "new Worker(`require('fs'); console.log('PAST')`, {eval: true, execArgv: []})"
                                     ".on('error', (e) => console.log(e.message));", "blocked_module fs",
                                     "blocked_module worker_threads"),
    "worker_threads with env and resourceLimits": ("const {Worker} = require('worker_threads');\n"
                                                   "new Worker(`require('fs'); console.log('PAST')`, {eval: true, "
                                                   "execArgv: ['--no-warnings'], env: {NODE_OPTIONS: ''}})"
                                                   ".on('error', (e) => console.log(e.message));", "blocked_module fs",
                                                   "blocked_module worker_threads"),
    "process.dlopen": ("const m = {exports: {}};\nprocess.dlopen(m, '/usr/lib/x86_64-linux-gnu/libc.so.6');\n"
                       "console.log('PAST');", "blocked_builtin process.dlopen", "blocked_builtin process.dlopen"),
    "import of a data: URL": ("import('data:text/javascript,import fs from \"fs\"; export default fs').then((m) => "
                              "attack.fs(m.default), (e) => console.log(e.message));", "blocked_module fs",
                              "blocked_module fs"),
    "wasm": ("const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);\n"
             "new WebAssembly.Instance(new WebAssembly.Module(bytes));\nattack.fs(require('fs'));", "blocked_module fs",
             "blocked_module fs"),
    "/proc/self/exe": ("attack.start({spawnSync: process.binding('spawn_sync').spawn});",
                       "blocked_module child_process", "blocked_module child_process"),
    "process.getBuiltinModule": ("attack.fs(process.getBuiltinModule('fs'));", "blocked_module fs",
                                 "blocked_module fs"),
    "process.report": ("process.report.directory = '/tmp';\n"
                       "console.log('PAST', process.report.writeReport('r.json'));\n"
                       "process.report.directory = %(dropdir)s; process.report.writeReport('r.json');", "past", "past"),
    "a loader extension": ("require.extensions['.txt'] = require.extensions['.json'];\n"
                           "try { require(%(canary)s); } catch (e) { console.log('PAST', e.message); }", "past",
                           "past"),
    "fetch": ("console.log('PAST', typeof fetch);\n"
              "fetch('http://127.0.0.1:%(port)d/').catch((e) => console.log(e.message));", "past", "past"),
    "--require undone by NODE_OPTIONS": ("process.env.NODE_OPTIONS = '';\nattack.start(require('child_process'));",
                                         "blocked_module child_process", "blocked_module child_process"),
    "internals": ("attack.fs(require('internal/fs/utils').fs || {});", "stopped", "stopped"),
    "Error.prepareStackTrace": ("Error.prepareStackTrace = (e, s) => [{getFileName: () => '/usr/share/nodejs/x.js'}];\n"
                                "Error.captureStackTrace = () => {};\nattack.fs(require('fs'));", "blocked_module fs",
                                "blocked_module fs"),
    "String.prototype": ("String.prototype.startsWith = () => true; RegExp.prototype.test = () => true; "
                         "RegExp.prototype.exec = () => [''];\nattack.fs(require('fs'));", "blocked_module fs",
                         "blocked_module fs"),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NODE)
def test_node(box, outside, name, level):
    code, *expected = NODE[name]
    names = {**outside.names, **{k: json.dumps(outside.names[k]) for k in ("canary", "drop", "dropdir", "abstract")}}
    text = ATTACK_NODE % names + (code % names if "%(" in code else code)
    head = "const FRESH = %s;\n" % json.dumps(FRESH_NODE % names)
    check(box, outside, "node", head + text + "\n", level, expected[LEVELS.index(level)])


# ---- bash ----

# `sort` is blocked besides the profile's own: every machine has it. PAST: it ran.
ATTACK_BASH = """
{ read -r x < %(canary)s; echo "$x"; } 2>&1
{ echo x > %(drop)s; } 2>&1
kill -9 %(victim)d
for p in /proc/[0-9]*; do { read -r x < "$p/cmdline"; echo "$x"; } 2>/dev/null; done
(exec 3<>/dev/tcp/127.0.0.1/%(port)d) && echo connected
for c in curl 'wget -qO-' 'nc -w1'; do $c http://127.0.0.1:%(port)d/; done
python3 -I -S -c "$FRESH"
:
"""
RAN = " --version | while read -r w rest; do [ \"$w\" = sort ] && echo PAST; done"
BASH = {
    "its name": ("sort" + RAN, "blocked_command sort", "blocked_command sort"),
    "its path": ("/usr/bin/sort" + RAN, "stopped", "stopped"),
    "another spelling of its path": ("/usr/bin/../bin/./sort" + RAN, "stopped", "stopped"),
    "exec": ("(exec sort --version)" + RAN.replace(" --version", ""), "stopped", "stopped"),
    "exec -a": ("(exec -a innocent sort --version)" + RAN.replace(" --version", ""), "stopped", "stopped"),
    "command": ("command sort" + RAN, "blocked_command sort", "blocked_command sort"),
    "command -p": ("command -p sort" + RAN, "blocked_command sort", "stopped"),
    "builtin": ("builtin sort" + RAN, "stopped", "stopped"),
    "hash -p": ("hash -p /usr/bin/sort innocent; innocent" + RAN, "stopped", "stopped"),
    "enable -f": ("enable -f /usr/bin/sort sort; sort" + RAN, "blocked_command sort", "blocked_command sort"),
    "an alias": ("shopt -s expand_aliases; alias s=sort\ns" + RAN, "blocked_command sort", "blocked_command sort"),
    "env": ("env sort" + RAN, "stopped", "stopped"),
    "ld.so": ("/lib64/ld-linux-x86-64.so.2 /usr/bin/sort" + RAN, "stopped", "stopped"),
    "a link": ("ln -s /usr/bin/sort /tmp/innocent; /tmp/innocent" + RAN, "stopped", "stopped"),
    "a copy": ("cp /usr/bin/sort /tmp/innocent; chmod +x /tmp/innocent; /tmp/innocent" + RAN, "stopped", "stopped"),
    "PATH": ("PATH=/usr/sbin:/usr/bin:/bin:/sbin:/usr/local/bin sort" + RAN, "blocked_command sort",
             "blocked_command sort"),
    "EXECIGNORE": ("EXECIGNORE=; sort" + RAN, "stopped", "blocked_command sort"),
    "the handler undone": ("unset -f command_not_found_handle; sort" + RAN, "stopped", "stopped"),
    "the handler replaced": ("command_not_found_handle() { /usr/bin/sort --version; }; sort" + RAN, "stopped",
                             "stopped"),
    "BASH_ENV": ("BASH_ENV= bash -c 'sort --version'" + RAN.replace(" --version", ""), "stopped", "stopped"),
    "/proc/self/exe": ("/proc/self/exe --norc -c 'sort --version'" + RAN.replace(" --version", ""), "stopped",
                       "stopped"),
    "another shell": ("sh -c 'sort --version'" + RAN.replace(" --version", ""), "stopped", "stopped"),
    "an interpreter": ("python3 -c 'import subprocess; subprocess.run([\"sort\", \"--version\"])'"
                       + RAN.replace(" --version", ""), "stopped", "stopped"),
    "the mask taken away": ("umount /usr/bin/sort; mv /usr/bin/sort /tmp; sort" + RAN, "blocked_command sort",
                            "blocked_command sort"),
    "out of restricted mode": ("set +r; bash -c 'cd / && echo PAST'", "past", "past"),
    "the report's descriptor": ("printf '{\"type\":\"blocked_command\",\"detail\":\"of_its_own\"}\\n%s\\n' '{}' >&15 "
                                "&& echo PAST", "past", "past"),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", BASH)
def test_bash(box, outside, name, level):
    code, *expected = BASH[name]
    fresh = "FRESH='" + (FRESH_PYTHON % outside.names).replace("'", "'\\''") + "'\n"
    check(box, outside, "bash", fresh + code + "\n" + ATTACK_BASH % outside.names, level, expected[LEVELS.index(level)],
          **{"languages.bash.blocked_commands": ["sort"]})


# ---- honest programs: nothing of it in their way ----

HONEST_PYTHON = """
import bisect, calendar, collections, contextlib, copy, csv, dataclasses, datetime, decimal, enum, fractions, functools, hashlib, heapq, io, itertools, json, logging
import operator, random, re, statistics, string, textwrap, time, typing, unittest, uuid
@dataclasses.dataclass
class Point:
    x: int
    y: typing.Optional[decimal.Decimal] = None
assert json.loads(json.dumps(dataclasses.asdict(Point(1)))) == {"x": 1, "y": None}
assert collections.Counter(re.findall(r"\\w", "abca"))["a"] == 2 and statistics.mean([1, 2, 3]) == 2
assert datetime.datetime.strptime("2026-11-21", "%Y-%m-%d").year == 2026
assert list(csv.reader(io.StringIO("a,b\\n"))) == [["a", "b"]]
P = collections.namedtuple("P", "a b")
logging.basicConfig(level=logging.ERROR)
logging.getLogger("x").warning("not said")
assert P(1, 2).b == 2 and functools.lru_cache(lambda n: n + 1)(1) == 2 and hashlib.sha256(b"").hexdigest()[:4] == "e3b0"
print(decimal.Decimal("0.1") + decimal.Decimal("0.2"), fractions.Fraction(1, 3), uuid.UUID(int=1))
"""
HONEST = {
    ("python", "medium"): (HONEST_PYTHON, "0.3 1/3 00000000-0000-0000-0000-000000000001\n"),
    ("python", "high"): ("import builtins, math\nfrom math import pi\nclass A:\n    def __init__(self, n): self.n = n\n"
                         "print(math.floor(pi), sorted({A(i).n for i in range(3)}), builtins.len('abc'), "
                         "f'{math.sqrt(2):.3f}')\n", "3 [0, 1, 2] 3 1.414\n"),
    ("node", "medium"): ("const util = require('util'), path = require('node:path'), {EventEmitter} = "
                         "require('events'), zlib = require('zlib'), crypto = require('crypto');\n"
                         "const assert = require('assert'), url = require('url'), {Readable} = require('stream'), "
                         "timers = require('timers/promises');\n"
                         "assert.deepStrictEqual(zlib.gunzipSync(zlib.gzipSync('x')).toString(), 'x');\n"
                         "timers.setTimeout(1).then(() => console.log(util.inspect({a: 1}), path.basename('/a/b'), "
                         "crypto.createHash('md5').update('').digest('hex').slice(0, 4)));\n", "{ a: 1 } b d41d\n"),
    ("node", "high"): ("const util = require('util');\nclass A extends require('events') {}\n"
                       "new A().on('x', (v) => console.log(util.format('%d', v))).emit('x', 5);\n", "5\n"),
    ("bash", "medium"): ("set -euo pipefail\nprintf '%s\\n' c a b | sort | head -2 | tr a-z A-Z\ndeclare -A m=([x]=1)\n"
                         "echo \"${m[x]}\" $((2 ** 10))\ncommand -v nosuch || echo none\n", "A\nB\n1 1024\nnone\n"),
    ("bash", "high"): ("f() { local n=$1; echo $((n * n)); }\nfor i in 1 2; do f $i; done\n"
                       "case abc in a*) echo yes;; esac\n[[ abc =~ b ]] && echo match\n", "1\n4\nyes\nmatch\n"),
}


@pytest.mark.parametrize("language, level", HONEST, ids="-".join)
def test_honest_programs_work_and_nothing_is_said_of_them(box, language, level):
    need_language(language)
    code, expected = HONEST[language, level]
    r = box.json(language, code, level=level)
    assert (r["reason"], r["stdout"], r["stderr"], r["violations"]) == ("completed", expected, "", []), r

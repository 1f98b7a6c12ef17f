"""Each language's ordinary program, at each level that permits the language, inside that level's shipped limits."""
import json
import os
import re
import select
import signal
import subprocess

import pytest
from helpers import (AGENT, LANGUAGES, LEVELS, MIB, PATIENCE, POLICY, PROGRAMS, Done, is_root, need_language,
                     need_module, shipped, skip, tree)

CASES = [(language, level) for language in LANGUAGES for level in LEVELS
         if not (language in ("go", "rust") and level == "high")]
each = pytest.mark.parametrize("language, level", CASES)
TEXT = "grüße, 世界 🎉"


def program(language, level, body):
    """A whole program out of one language's body, and what the level's courtesy layer leaves it to work with."""
    if isinstance(body, dict):
        body = body[language]
    if isinstance(body, dict):
        body = body.get(level) or body[""]
    if language == "go":
        imports = [name for name in ("bufio", "bytes", "crypto/sha256", "encoding/json", "errors", "fmt", "io",
                                     "math/rand", "os", "os/exec", "regexp", "runtime", "sort",
                                     "strings", "sync", "time", "net", "unsafe")
                                     if re.search(r"\b%s\.[A-Z]" % name.split("/")[-1], body)]
        return "package main\n\nimport (\n%s)\n\n%s\n" % ("".join('\t"%s"\n' % name for name in imports), body
                                                          if "func main" in body else "func main() {\n%s\n}" % body)
    if language == "rust":
        return body if "fn main" in body else "fn main() {\n%s\n}\n" % body
    return body


def run(box, language, level, body, **more):
    need_language(language)
    return box.run(language, program(language, level, body), level=level, **more)


def fine(done, out):
    assert (done.code, done.out.decode(), done.err.decode()) == (0, out, ""), done


# ---- every language, every level ----

@each
def test_hello(box, language, level):
    fine(run(box, language, level, {"python": "print('hello')", "node": "console.log('hello')", "bash": "echo hello",
                                    "go": 'fmt.Println("hello")',
                                    "rust": 'println!("hello");'}), "hello\n")


STANDARD = {
    "python": {"high": "import math\nprint(sorted([3, 1, 2]), math.factorial(20), '%.4f' % math.pi, sum(x * x for x in "
                       "range(1000)), {1, 2} | {3}, 'a-b'.split('-'))",
               "": "import json, re, hashlib, collections, datetime, decimal, itertools, math, random, statistics, "
                   "string, textwrap, uuid, zlib, struct, csv, io, "
                   "functools, heapq, base64, tempfile, time, unicodedata, urllib.parse, html, logging, argparse, "
                   "dataclasses, typing, enum, pathlib\n"
                   "print(sorted([3, 1, 2]), math.factorial(20), '%.4f' % math.pi, sum(x * x for x in range(1000)), "
                   "{1, 2} | {3}, 'a-b'.split('-'))"},
    "node": "const util = require('util'), path = require('path'), zlib = require('zlib'), crypto = require('crypto'), "
            "url = require('url'), events = require('events');\n"
            "const z = zlib.gunzipSync(zlib.gzipSync('zipped')).toString();\n"
            "console.log(JSON.stringify({z, h: crypto.createHash('sha256').update('x').digest('hex').slice(0, 8), p: "
            "path.join('a', '..', 'b'), u: util.format('%d', 4)}));",
    "bash": "declare -A m=([a]=1 [b]=2); n=0; for i in {1..100}; do ((n += i)); done\n"
            "[[ abc123 =~ ^[a-z]+([0-9]+)$ ]] && echo \"${m[a]}${m[b]} $n ${BASH_REMATCH[1]} $(printf '%05.2f' "
            "3.14159) ${PWD}\"",
    "go": 'h := sha256.Sum256([]byte("x")); b, _ := json.Marshal(map[string]int{"a": 1}); w := strings.Fields("c b '
          'a"); sort.Strings(w)\n'
          'fmt.Printf("%x %s %v %v\\n", h[:4], b, w, regexp.MustCompile("[0-9]+").FindString("ab12"))',
    "rust": 'use std::collections::BTreeMap; let mut m = BTreeMap::new(); for w in "c b a b".split(\' \') { '
            '*m.entry(w).or_insert(0) += 1; }\n'
            'println!("{:?} {}", m, (1..=10).map(|x| x * x).sum::<i32>());',
}
STANDARD_OUT = {
    "python": "[1, 2, 3] 2432902008176640000 3.1416 332833500 {1, 2, 3} ['a', 'b']\n",
    "node": '{"z":"zipped","h":"2d711642","p":"b","u":"4"}\n',
    "bash": "12 5050 123 03.14 ",
    "go": '2d711642 {"a":1} [a b c] 12\n',
    "rust": '{"a": 1, "b": 2, "c": 1} 385\n',
}


@each
def test_the_standard_library(box, language, level):
    done = run(box, language, level, STANDARD)
    cwd = "/workspace\n" if level == "low" else "/tmp\n"
    fine(done, STANDARD_OUT[language] + (cwd if language == "bash" else ""))


THREADS = {
    "python": {"high": None,  # only math may be imported there: see test_python_threads_at_high
               "": "import threading\nn = []\n"
                   "ts = [threading.Thread(target=lambda i=i: n.append(i)) for i in range(8)]\n"
                   "[t.start() for t in ts]; [t.join() for t in ts]\nprint(sum(n))"},
    "node": {"high": "const c = require('crypto'); let n = 0; for (let i = 0; i < 8; i++) c.pbkdf2('p', 's', 1000, 32, "
                     "'sha256', () => { n += i; if (n == 28) console.log(28); });",
             "": "const {Worker} = require('worker_threads'); let sum = 0, left = 4;\n"
                 "for (let i = 0; i < 4; i++) { const w = new "
                 "Worker('require(\"worker_threads\").parentPort.postMessage(7)', {eval: true}); w.on('message', m => "
                 "sum += m);\n"
                 "w.on('exit', () => { if (--left == 0) console.log(sum); }); }"},
    "bash": {"high": "f() { echo $1; }; n=0; for i in 1 2; do x=$(f 14); ((n += x)); done; echo $n",
             "": "for i in 1 2 3 4; do (sleep 0.05; echo $i) & done; wait >/dev/null; echo 28"},
    "go": "var wg sync.WaitGroup; var mu sync.Mutex; sum := 0\n"
          "for i := 0; i < 1000; i++ { wg.Add(1); go func(i int) { defer wg.Done(); mu.Lock(); sum += i % 2; "
          "mu.Unlock() }(i) }\n"
          "wg.Wait(); runtime.GC(); fmt.Println(sum - 472)",
    "rust": "let ts: Vec<_> = (0..8).map(|i| std::thread::spawn(move || i)).collect(); let n: i32 = "
            "ts.into_iter().map(|t| t.join().unwrap()).sum(); println!(\"{}\", n);",
}


@each
def test_threads(box, language, level):
    body = THREADS[language]
    if isinstance(body, dict) and level in body and body[level] is None:
        body = "print(28)"
    done = run(box, language, level, {language: body})
    assert done.code == 0 and done.err == b"" and done.out.endswith(b"28\n"), done


def test_python_threads_at_high_limits(box):
    """The shipped profile permits no module that makes threads; its limits permit four."""
    profile = box.derive("high", languages__python__allowed_modules="all", languages__python__blocked_modules=[])
    fine(box.run("python", THREADS["python"][""].replace("range(8)", "range(4)"), profile=profile), "6\n")


CHILD = {
    "python": {"low": "import subprocess\nprint(subprocess.run(['echo', 'child'], capture_output=True, "
                      "text=True).stdout, end='')\n"
                      "print(subprocess.check_output('echo $((6*7))', shell=True, text=True), end='')",
               "medium": "import multiprocessing\np = multiprocessing.get_context('fork').Process(target=print, "
                         "args=('child\\n42',), kwargs={'flush': True})\np.start(); p.join()"},
    "node": {"low": "const {execSync, spawnSync} = require('child_process');\n"
                    "process.stdout.write(spawnSync('echo', ['child']).stdout); process.stdout.write(execSync('echo "
                    "$((6*7))'));"},
    "bash": {"": "/bin/echo child; echo $(expr 6 \\* 7)", "high": "(echo child); echo $((6*7))"},
    "go": {"": 'o, e := exec.Command("echo", "child").Output(); if e != nil { panic(e) }; '
               'fmt.Print(string(o), "42\\n")'},
    "rust": {"": 'let o = std::process::Command::new("echo").arg("child").output().unwrap(); print!("{}42\\n", '
                 'String::from_utf8(o.stdout).unwrap());'},
}


@pytest.mark.parametrize("language, level", [(la, le) for la, le in CASES if "" in CHILD[la] or le in CHILD[la]])
def test_a_child_process_where_the_level_allows_it(box, language, level):
    fine(run(box, language, level, CHILD), "child\n42\n")


INPUT = {
    "python": "total = 0\nwhile True:\n    try: total += int(input())\n    except EOFError: break\nprint('sum', total)",
    "node": "let t = 0; require('readline').createInterface({input: process.stdin}).on('line', l => t += "
            "Number(l)).on('close', () => console.log('sum', t));",
    "bash": "t=0; while read -r n; do ((t += n)); done; echo \"sum $t\"",
    "go": 's := bufio.NewScanner(os.Stdin); t := 0; for s.Scan() { var n int; fmt.Sscan(s.Text(), &n); t += n }; '
          'fmt.Println("sum", t)',
    "rust": "use std::io::BufRead; let t: i64 = std::io::stdin().lock().lines().map(|l| "
            "l.unwrap().parse::<i64>().unwrap()).sum(); println!(\"sum {}\", t);",
}


@each
def test_reading_standard_input(box, language, level):
    numbers = box.file("numbers", "".join("%d\n" % i for i in range(5000)), 0o600)
    fine(run(box, language, level, INPUT, options=["--stdin", numbers]), "sum 12497500\n")
    fine(run(box, language, level, INPUT), "sum 0\n")


WRITE = {
    "python": {"high": None, "": "import tempfile, pathlib\n"
                                 "with tempfile.NamedTemporaryFile('w+', suffix='.txt') as f:\n"
                                 "    f.write('kept' * 1000); f.seek(0); print(len(f.read()), "
                                 "f.name.startswith('/tmp/'))"},
    "node": {"low": "const fs = require('fs'), os = require('os'), path = require('path'); const f = "
                    "path.join(os.tmpdir(), 'x'); fs.writeFileSync(f, 'kept'.repeat(1000)); "
                    "console.log(fs.readFileSync(f).length, 'True');"},
    "bash": {"": "f=$(mktemp); for i in {1..1000}; do printf kept; done > $f; read -r x < $f; [[ $f == /tmp/* ]] && "
                 "echo ${#x} True", "high": None},
    "go": 'f, e := os.CreateTemp("", "x"); if e != nil { panic(e) }; f.WriteString(strings.Repeat("kept", 1000)); b, _ '
          ':= os.ReadFile(f.Name()); fmt.Println(len(b), map[bool]string{true: "True"}[strings.HasPrefix(f.Name(), '
          '"/tmp/")])',
    "rust": 'let mut p = std::env::temp_dir(); p.push("x"); std::fs::write(&p, "kept".repeat(1000)).unwrap(); '
            'println!("{} {}", std::fs::read(&p).unwrap().len(), if p.starts_with("/tmp") {"True"} else {"False"});',
}


@pytest.mark.parametrize("language, level",
                         [(la, le) for la, le in CASES if not isinstance(WRITE[la], dict)
                          or WRITE[la].get(le, WRITE[la].get(""))])
def test_writing_to_the_temporary_directory(box, language, level):
    fine(run(box, language, level, WRITE), "4000 True\n")


MEGABYTE = {
    "python": "print('0123456789abcde\\n' * 65536, end='')",
    "node": "process.stdout.write('0123456789abcde\\n'.repeat(65536));",
    "bash": "a=$'0123456789abcde\\n'; for i in {1..6}; do a=$a$a; done; "
            "for i in {1..1024}; do printf '%s' \"$a\"; done",
    "go": 'fmt.Print(strings.Repeat("0123456789abcde\\n", 65536))',
    "rust": 'print!("{}", "0123456789abcde\\n".repeat(65536));',
}


@each
def test_one_megabyte_of_output_is_byte_exact(box, language, level):
    done = run(box, language, level, MEGABYTE)
    assert (done.code == 0 and done.out == b"0123456789abcde\n" * 65536
            and done.err == b""), (done.code, len(done.out), done.err[:300])


EXIT = {"python": "raise SystemExit(3)", "node": "process.exitCode = 3;", "bash": "exit 3", "go": "os.Exit(3)",
        "rust": "std::process::exit(3);"}


@each
def test_a_non_zero_exit(box, language, level):
    need_language(language)
    r = box.json(language, program(language, level, EXIT), level=level)
    assert (r["reason"], r["exit_code"], r["stderr"], r["language"],
            r["risk_level"]) == ("error", 3, "", language, level)


UNCAUGHT = {
    "python": ("def f():\n    raise ValueError('told')\nf()\n", 1,
               ["Traceback (most recent call last)", 'File "/code/main.py", line 3, in <module>', "ValueError: told"]),
    "node": ("function f() { throw new TypeError('told'); }\nf();\n", 1,
             ["TypeError: told", "/code/main.js:1", "at f"]),
    "bash": ("set -e\nnosuchcommand\necho never\n", 127, ["/code/main.sh: line 2: nosuchcommand: command not found"]),
    "go": ('var m map[string]int; m["a"] = 1', 2, ["panic: assignment to entry in nil map", "goroutine 1 [running]"]),
    "rust": ('let v: Vec<i32> = vec![]; let i = v.len(); println!("{}", v[i]);', 101,
             ["panicked at", "index out of bounds", "/code/main.rs"]),
}


@each
def test_an_uncaught_exception_is_told_on_stderr_as_the_language_tells_it(box, language, level):
    body, code, needles = UNCAUGHT[language]
    done = run(box, language, level, {language: body})
    assert done.code == code and done.out == b"", done
    for needle in needles:
        assert needle in done.words, (needle, done)
    assert "guard" not in done.words, "our own frames are no business of the program's author"


SYNTAX = {"python": ("def f(:\n", 1, "SyntaxError"), "node": ("let = = 3;\n", 1, "SyntaxError"),
          "bash": ("if true; then\n", 2, "syntax error")}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("language", SYNTAX)
def test_a_syntax_error_is_told_with_its_line(box, language, level):
    body, code, word = SYNTAX[language]
    done = run(box, language, level, {language: body})
    assert done.code == code and word in done.words and "main." in done.words and "guard" not in done.words, done


UNICODE = {
    "python": "s = input()\nprint(s, len(s), s.upper())",
    "node": "process.stdin.setEncoding('utf8'); let s = ''; process.stdin.on('data', d => s += d).on('end', () => { s "
            "= s.trim(); console.log(s, [...s].length, s.toUpperCase()); });",
    "bash": "read -r s; echo \"$s ${#s} ${s^^}\"",
    "go": 's, _ := bufio.NewReader(os.Stdin).ReadString(\'\\n\'); s = strings.TrimSpace(s); fmt.Println(s, '
          'len([]rune(s)), strings.ToUpper(s))',
    "rust": 'let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); let s = s.trim(); println!("{} {} '
            '{}", s, s.chars().count(), s.to_uppercase());',
}


@each
def test_text_beyond_ascii(box, language, level):
    done = run(box, language, level, UNICODE, options=["--stdin", box.file("in", TEXT + "\n")])
    upper = TEXT.upper() if language in ("python", "node", "rust") else "GRÜßE, 世界 🎉"
    fine(done, "%s %d %s\n" % (TEXT, len(TEXT), upper))


ARGUMENTS = {
    "python": {"high": None, "": "import sys\nprint(sys.argv)"},
    "node": "console.log(process.argv.slice(1));",
    "bash": "echo \"$0 $# $1\"",
    "go": "fmt.Println(len(os.Args), os.Args[1:])",
    "rust": 'println!("{:?}", std::env::args().skip(1).collect::<Vec<_>>());',
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_programs_own_arguments(box, language):
    need_language(language)
    level = "medium"
    done = box.agent(*box.words(language, program(language, level, ARGUMENTS), level), "--", "a b", "--flag")
    out = {"python": "['/code/main.py', 'a b', '--flag']\n", "node": "[ '/code/main.js', 'a b', '--flag' ]\n",
           "bash": "/code/main.sh 2 a b\n", "go": "3 [a b --flag]\n",
           "rust": '["a b", "--flag"]\n'}
    fine(done, out[language])


# ---- python ----

def free(box, level="medium", **more):
    """The level with a module list that permits all, and no word about sockets on its own loopback."""
    return box.derive(level, {"monitoring.network_attempt_detection": False,
                              "languages.python.blocked_modules": [], "languages.python.allowed_modules": "all",
                              "languages.python.restricted": False}, **more)


def test_python_numpy_and_pandas_at_medium(box):
    need_module("numpy")
    need_module("pandas")
    code = """import numpy as np, pandas as pd
a = np.arange(1_000_000, dtype=np.float64).reshape(1000, 1000)
print(int((a @ np.eye(1000)).sum()), round(float(np.linalg.det(np.array([[2.0, 1.0], [1.0, 3.0]]))), 6), np.fft.fft(np.ones(8))[0].real)
df = pd.DataFrame({'k': list('abab'), 'v': [1, 2, 3, 4]})
print(df.groupby('k').v.sum().to_dict(), pd.to_datetime('2024-02-29').day_name(), df.to_csv(index=False).splitlines()[0])
df.to_csv('/tmp/x.csv'); print(len(pd.read_csv('/tmp/x.csv')))
rng = np.random.default_rng(1); print(rng.integers(0, 10, 3).shape)
"""
    done = box.run("python", code, profile=free(box), options=["--timeout", "60"])
    fine(done, "499999500000 5.0 8.0\n{'a': 4, 'b': 6} Thursday k,v\n4\n(3,)\n")


def test_python_numpy_uses_threads_within_the_limits(box):
    need_module("numpy")
    code = "import numpy as np\nx = np.random.rand(600, 600)\nprint((x @ x).shape, np.linalg.svd(np.eye(50))[1].sum())"
    fine(box.run("python", code, profile=free(box, resources__cpu=2.0)), "(600, 600) 50.0\n")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_python_multiprocessing(box, method):
    code = """import multiprocessing as mp
def square(x): return x * x
if __name__ == '__main__':
    with mp.get_context(%r).Pool(3) as pool:
        print(pool.map(square, range(8)))
""" % method
    fine(box.run("python", code, profile=free(box), options=["--cpu", "1.0"]), "[0, 1, 4, 9, 16, 25, 36, 49]\n")


def test_python_multiprocessing_queues_locks_and_shared_memory(box):
    code = """import multiprocessing as mp
from multiprocessing import shared_memory
def work(q, lock, name):
    m = shared_memory.SharedMemory(name=name)
    with lock: m.buf[0] += 1
    m.close(); q.put('done')
if __name__ == '__main__':
    ctx = mp.get_context('fork'); q, lock = ctx.Queue(), ctx.Lock()
    m = shared_memory.SharedMemory(create=True, size=100)
    ps = [ctx.Process(target=work, args=(q, lock, m.name)) for _ in range(3)]
    [p.start() for p in ps]; print([q.get() for _ in ps]); [p.join() for p in ps]; print(m.buf[0]); m.close(); m.unlink()
"""
    fine(box.run("python", code, profile=free(box)), "['done', 'done', 'done']\n3\n")


def test_python_concurrent_futures(box):
    code = """from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
def f(x): return x + 1
if __name__ == '__main__':
    with ThreadPoolExecutor(5) as t: print(list(t.map(f, range(5))))
    with ProcessPoolExecutor(2) as p: print(list(p.map(f, range(5))))
"""
    fine(box.run("python", code, profile=free(box)), "[1, 2, 3, 4, 5]\n[1, 2, 3, 4, 5]\n")


def test_python_asyncio(box):
    code = """import asyncio
async def child():
    p = await asyncio.create_subprocess_exec('echo', 'from a child', stdout=asyncio.subprocess.PIPE)
    return (await p.communicate())[0].decode().strip()
async def main():
    async def serve(r, w):
        w.write((await r.readline()).upper()); await w.drain(); w.close()
    server = await asyncio.start_server(serve, '127.0.0.1', 0)
    r, w = await asyncio.open_connection(*server.sockets[0].getsockname())
    w.write(b'over loopback\\n'); print((await r.readline()).decode().strip())
    w.close(); server.close()
    print(await asyncio.gather(child(), asyncio.sleep(0.01, 'slept'), asyncio.to_thread(sum, [1, 2])))
asyncio.run(main())
"""
    fine(box.run("python", code, profile=free(box)), "OVER LOOPBACK\n['from a child', 'slept', 3]\n")


def test_python_asyncio_at_medium_as_shipped(box):
    code = ("import asyncio\nasync def main():\n"
            "    print(await asyncio.gather(*(asyncio.sleep(0.01, i) for i in range(3))))\nasyncio.run(main())\n")
    fine(box.run("python", code), "[0, 1, 2]\n")


def test_python_sqlite3(box):
    code = """import sqlite3
for where in (':memory:', '/tmp/x.db'):
    db = sqlite3.connect(where); db.execute('pragma journal_mode=wal'); db.execute('create table t (a, b)')
    with db: db.executemany('insert into t values (?, ?)', [(i, str(i)) for i in range(1000)])
    print(db.execute('select count(*), sum(a), max(length(b)) from t').fetchone()); db.close()
"""
    fine(box.run("python", code), "(1000, 499500, 3)\n(1000, 499500, 3)\n")


def test_python_other_things_that_filters_break(box):
    code = """import os, sys, select, signal, mmap, fcntl, time, socket, subprocess, tempfile, shutil, threading, random, secrets, glob, stat
r, w = os.pipe(); os.write(w, b'x'); p = select.poll(); p.register(r); print(len(p.poll(100)))
e = select.epoll(); e.register(r); print(len(e.poll(0.1)))
signal.signal(signal.SIGALRM, lambda *_: print('alarm')); signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(0.05)
m = mmap.mmap(-1, 1 << 20); m[:3] = b'abc'; print(m[:3])
a, b = socket.socketpair(); a.send(b'hi'); print(b.recv(2))
d = tempfile.mkdtemp(); open(d + '/f', 'w').write('1'); os.rename(d + '/f', d + '/g'); os.symlink('g', d + '/l'); os.chmod(d + '/g', 0o600)
fcntl.flock(open(d + '/g'), fcntl.LOCK_EX | fcntl.LOCK_NB); print(sorted(os.listdir(d)), os.path.islink(d + '/l')); shutil.rmtree(d)
print(os.cpu_count() > 0, len(os.urandom(5)), len(secrets.token_hex(4)), os.getpid() > 1, os.sched_getaffinity(0) != set())
pid = os.fork()
if pid == 0: os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); c = socket.create_connection(s.getsockname()); print(s.accept()[0].fileno() > 2)
print(time.localtime().tm_year > 2000, time.monotonic() > 0, subprocess.run(['true']).returncode)
"""
    done = box.run("python", code, profile=free(box))
    fine(done, "1\n1\nalarm\nb'abc'\nb'hi'\n['g', 'l'] True\nTrue 5 8 True True\n7\nTrue\nTrue True 0\n")


def violation(module):
    return "sandbox-agent: restriction: blocked_module %s\n" % module


@pytest.mark.parametrize("level, module",
                         [("medium", m) for m in shipped("medium")["languages"]["python"]["blocked_modules"]]
                         + [("high", m) for m in shipped("high")["languages"]["python"]["blocked_modules"]] + [
                             ("high", "json"), ("high", "time")])
def test_python_modules_that_the_level_refuses(box, level, module):
    done = box.run("python", "print('before')\nimport %s\nprint('after')\n" % module, level=level)
    assert (done.code == 1 and done.out == b"before\n" and module in done.words
            and "Error" in done.words.splitlines()[-2]), done
    assert done.words.endswith("\n" + violation(module)), done
    done = box.run("python", "try:\n    import %s\nexcept ImportError: print('told')\n" % module, level=level)
    assert (done.code, done.out, done.words) == (0, b"told\n", violation(module)), done


def test_python_at_low_imports_anything(box):
    fine(box.run("python", "import os, subprocess, socket, sys, pickle\neval('print(1)'); exec('print(2)')\n",
                 level="low"), "1\n2\n")


@pytest.mark.parametrize("name", ["eval", "exec", "compile", "__import__"])
def test_python_at_high_has_no_evaluation(box, name):
    call = {"eval": "eval('1')", "exec": "exec('1')", "compile": "compile('1', 'x', 'eval')",
            "__import__": "__import__('math')"}[name]
    done = box.run("python", "print('before')\n%s\nprint('after')\n" % call, level="high")
    assert done.code == 1 and done.out == b"before\n" and name in done.words, done
    assert box.run("python", call + "\n", level="medium").code == 0


# ---- node ----

def test_node_worker_threads(box):
    code = """const {Worker, isMainThread, parentPort, workerData} = require('worker_threads');
if (isMainThread) { const w = new Worker(__filename, {workerData: 5}); w.on('message', m => console.log('worker says', m)); w.on('exit', c => console.log('exit', c)); }
else parentPort.postMessage(workerData * 2);
"""
    need_language("node")
    for level in ("low", "medium"):
        fine(box.run("node", code, level=level), "worker says 10\nexit 0\n")


def test_node_fs_promises(box):
    need_language("node")
    code = """const fs = require('fs').promises, {createReadStream} = require('fs');
(async () => { await fs.mkdir('/tmp/d/e', {recursive: true}); await fs.writeFile('/tmp/d/e/f', 'content'); console.log(await fs.readFile('/tmp/d/e/f', 'utf8'), await fs.readdir('/tmp/d'));
  for await (const c of createReadStream('/tmp/d/e/f')) console.log(c.length); await fs.rm('/tmp/d', {recursive: true});
  await fs.readFile('/nope').catch(e => console.log(e.code)); })();
"""
    fine(box.run("node", code, level="low"), "content [ 'e' ]\n7\nENOENT\n")
    permits = box.derive("medium", languages__node__blocked_modules=[])
    fine(box.run("node", code, profile=permits), "content [ 'e' ]\n7\nENOENT\n")


def test_node_pbkdf2_and_memory_within_the_shipped_limits_of_high(box):
    need_language("node")
    code = """const crypto = require('crypto'); let left = 6;
for (let i = 0; i < 6; i++) crypto.pbkdf2('p' + i, 's', 5000, 64, 'sha512', (e, k) => { if (e) throw e; if (--left == 0) { const a = []; for (let j = 0; j < 3e5; j++) a.push({j}); console.log('derived', a.length); } });
"""
    done = box.run("node", code, level="high", options=["--json"])
    r = done.result
    assert (r["reason"], r["stdout"], r["stderr"]) == ("completed", "derived 300000\n", ""), r
    assert r["isolation"]["limits"]["memory_bytes"] == 128 * MIB and r["peak_memory_bytes"] <= 128 * MIB


def test_node_es_modules_timers_and_fetchless_globals(box):
    need_language("node")
    code = """import('path').then(m => console.log(m.join('a', 'b')));
setTimeout(() => console.log('timer'), 20); queueMicrotask(() => console.log('microtask'));
console.log(new TextDecoder().decode(new TextEncoder().encode('ü')), structuredClone({a: [1]}).a[0], new Intl.NumberFormat('de').format(1234.5), new URL('http://a/b').pathname);
"""
    for level in LEVELS:
        done = box.run("node", code, level=level)
        assert (done.code == 0 and done.err == b""
                and sorted(done.text.splitlines()) == sorted(["a/b", "timer", "microtask",
                                                              "ü 1 1.234,5 /b"])), (level, done)


@pytest.mark.parametrize("level, module",
                         [(level, m) for level in ("medium", "high")
                          for m in shipped(level)["languages"]["node"]["blocked_modules"]])
def test_node_modules_that_the_level_refuses(box, level, module):
    need_language("node")
    for statement in ("require('%s')", "require('node:%s')"):
        done = box.run("node", "console.log('before');\n" + statement % module + ";\nconsole.log('after');\n",
                       level=level)
        assert done.code == 1 and done.out == b"before\n" and "'%s'" % module in done.words.replace("node:", ""), done
    done = box.run("node", "import('%s').catch(e => console.log('told'));\n" % module, level=level)
    assert (done.code, done.out, done.words) == (0, b"told\n", violation(module)), done


def test_node_unhandled_rejection(box):
    need_language("node")
    done = box.run("node", "Promise.reject(new RangeError('told'));\n", level="high")
    assert done.code == 1 and "RangeError: told" in done.words, done


def test_node_out_of_its_heap_is_an_error_of_its_own_or_oom(box):
    need_language("node")
    r = box.json("node", "const a = []; for (;;) a.push(new Array(1000).fill(a.length));\n", level="high")
    assert r["reason"] in ("signal", "oom", "error"), r
    assert r["reason"] == "oom" or "heap" in r["stderr"]


# ---- bash ----

def test_bash_at_high_is_restricted(box):
    for statement in ("cd /", "/usr/bin/id", "PATH=/x", "echo x > /tmp/f", "exec ls"):
        done = box.run("bash", "echo before\n%s && echo after\n" % statement, level="high")
        assert b"after" not in done.out and b"before" in done.out and (b"restricted" in done.err
                                                                       or b"readonly" in done.err), (statement, done)


@pytest.mark.parametrize("level", ["medium", "high"])
def test_bash_commands_that_the_level_refuses(box, level):
    rules = shipped(level)["languages"]["bash"]
    names = rules["blocked_commands"] + rules["restricted_commands"]
    assert names
    done = box.run("bash", "for c in %s; do command -v $c >/dev/null && $c --version && echo \"ran $c\"; done; echo "
                           "end\n" % " ".join(names), level=level)
    assert b"ran" not in done.out and done.out.endswith(b"end\n"), done


def test_bash_pipelines_here_documents_and_traps(box):
    code = ("trap 'echo bye' EXIT\nsort <<E | uniq -c | awk '{print $2 $1}'\nb\na\nb\nE\n"
            "cat <(echo substituted); [ -t 0 ] || echo no terminal\n")
    fine(box.run("bash", code), "a1\nb2\nsubstituted\nno terminal\nbye\n")


# ---- go and rust ----

def test_go_goroutines_channels_and_memory(box):
    need_language("go")
    code = program("go", "medium", """c := make(chan int, 10); var wg sync.WaitGroup
for i := 0; i < 2000; i++ { wg.Add(1); go func(i int) { defer wg.Done(); time.Sleep(time.Millisecond); c <- i }(i) }
go func() { wg.Wait(); close(c) }(); n := 0; for range c { n++ }
b := make([]byte, 50<<20); for i := range b { b[i] = 1 }; runtime.GC(); fmt.Println(n, len(b)>>20, runtime.NumCPU() > 0)""")
    for level in ("low", "medium"):
        fine(box.run("go", code, level=level), "2000 50 true\n")


BAD_SOURCE = {"go": ("package main\n\nfunc main() {\n\tundefinedFunction()\n}\n", ["main.go:4", "undefinedFunction"]),
              "rust": ("fn main() {\n    let x: i32 = \"text\";\n}\n", ["main.rs:2", "mismatched types"])}


@pytest.mark.parametrize("language", BAD_SOURCE)
def test_a_compile_error_is_an_ordinary_error_with_the_compilers_text(box, language):
    need_language(language)
    code, needles = BAD_SOURCE[language]
    r = box.json(language, code)
    assert r["reason"] == "error" and r["exit_code"] != 0 and r["error"] is None and r["stdout"] == "", r
    for needle in needles:
        assert needle in r["stderr"]
    done = box.run(language, code)
    assert done.code == r["exit_code"] and all(n in done.words for n in needles), done
    assert len(box.logs()) == 2
    assert ("Reason: error" in box.logs()[0].read_text()
            and needles[0] in box.logs()[0].read_text()), "the compiler's words belong into the log"
    assert not list((box.dir / "cache").rglob("compiled/*")), "what does not compile is not cached"


@pytest.mark.parametrize("language", ["go", "rust"])
def test_the_compiled_result_of_the_same_source_is_cached(box, language):
    need_language(language)
    code = box.code(program(language, "medium", {"go": 'fmt.Println("cached")', "rust": 'println!("cached");'}),
                    language)
    cache = box.dir / "cache/sandbox-agent/compiled"
    fine(box.run(language, code), "cached\n")
    (entry,) = cache.iterdir()
    before = tree(cache)
    fine(box.run(language, code), "cached\n")
    assert tree(cache) == before, "the second run compiles nothing"
    assert entry.stat().st_mode & 0o077 == 0 and cache.stat().st_mode & 0o077 == 0
    fine(box.run(language, code.read_text() + "// changed\n"), "cached\n")
    assert len(list(cache.iterdir())) == 2
    fine(box.run(language, code, level="low"), "cached\n")
    assert len(list(cache.iterdir())) == 2, "the binary does not depend on the level"


def test_the_cache_of_compiled_programs_has_an_end(box):
    """Without one it grew by some megabytes with every program, for ever."""
    need_language("rust")
    cache = box.directory("cache/sandbox-agent/compiled")
    cache.chmod(0o700)
    for i in range(101):
        (cache / ("%016x" % i)).write_bytes(b"old")
    (cache / "somebody-else-s").write_bytes(b"kept")
    fine(box.run("rust", program("rust", "medium", 'println!("new");')), "new\n")
    left = [p.name for p in cache.iterdir()]
    assert len(left) == 2 and "somebody-else-s" in left, left


@pytest.mark.parametrize("damage", ["truncated", "garbage", "other source", "writable for all", "link"])
def test_a_damaged_cache_entry_is_never_run(box, damage):
    need_language("rust")
    code = box.code(program("rust", "medium", 'println!("mine");'), "rust")
    fine(box.run("rust", code), "mine\n")
    (entry,) = (box.dir / "cache/sandbox-agent/compiled").iterdir()
    content = entry.read_bytes()
    if damage == "truncated":
        entry.write_bytes(content[:100])
    elif damage == "garbage":
        entry.write_bytes(b"#!/bin/sh\necho evil\n")
    elif damage == "other source":
        other = box.code(program("rust", "medium", 'println!("evil");'), "rust")
        fine(box.run("rust", other), "evil\n")
        (second,) = [p for p in entry.parent.iterdir() if p != entry]
        second.replace(entry)
    elif damage == "writable for all":
        entry.chmod(0o666)
    else:
        entry.rename(box.dir / "elsewhere")
        entry.symlink_to(box.dir / "elsewhere")
    fine(box.run("rust", code), "mine\n")


def test_a_cache_that_cannot_be_written_is_no_obstacle(box):
    need_language("rust")
    blocked = box.file("file", "")
    # and the compiler may be rustup's, as in the official images
    done = box.run("rust", program("rust", "medium", 'println!("{}", env!("RUSTUP_HOME"));'),
                   env={"XDG_CACHE_HOME": str(blocked)})
    fine(done, "/usr/local/rustup\n")


@pytest.mark.parametrize("language", ["go", "rust"])
def test_the_compiler_has_no_network_no_volumes_and_no_say_in_the_run(box, language):
    """What a source can make its compiler do stays in the compiler's own sandbox."""
    need_language(language)
    place = box.directory("data")
    box.file("data/secret.txt", "secret\n")
    code = {"go": 'package main\n\nimport _ "embed"\n\n//go:embed secret.txt\nvar s string\n\n'
                  'func main() { print(s) }\n',
            "rust": 'fn main() { print!("{}", include_str!("/data/secret.txt")); }\n'}[language]
    r = box.json(language, code, options=["--volume", "%s:/data" % place])
    assert r["reason"] == "error" and "secret\n" not in r["stdout"]
    code = {"rust": 'fn main() { print!("{}", include_str!("/etc/shadow")); }\n',
            "go": 'package main\nimport "example.com/nothing"\nfunc main() { nothing.Run() }\n'}[language]
    r = box.json(language, code)
    assert r["reason"] == "error" and "root:" not in r["stderr"]


def test_a_compiler_that_needs_too_long_is_ended(box):
    """The deadline covers the compiler, too: a source can make rustc work for hours."""
    need_language("rust")
    code = ("const fn f(n: u64) -> u64 { let mut i = 0; let mut s = 0; while i < n { s = (s * 31 + i) % 1000003; i += "
            "1; } s }\nconst X: u64 = f(1 << 60);\nfn main() { println!(\"{}\", X); }\n")
    done = box.run("rust", "#![feature(const_eval_limit)]\n" + code, options=["--timeout", "2"], patience=60)
    assert done.code != 0 and b"hung" not in done.err, done


@pytest.mark.parametrize("language", ["go", "rust"])
def test_compiled_languages_are_refused_at_high(box, language):
    box.run(language, program(language, "high", EXIT), level="high").refused(123, language,
                                                                             "execution.allow_compilation", "remedy: ")


# ---- absent interpreters ----

@pytest.mark.parametrize("language", LANGUAGES)
def test_an_absent_interpreter_is_told_with_the_package(box, language):
    """An empty file that is not executable lies over it, in a mount namespace of the test's own."""
    paths, package = PROGRAMS[language]
    hide = "".join("mount --bind %s %s || exit 99\n" % (box.file("nothing", ""), p)
                   for p in {os.path.realpath(p) for p in paths if os.path.exists(p)})
    words = [str(AGENT), *map(str, box.words(language, "x\n"))]
    for option in ([], ["--json"]):
        argv = ["/usr/bin/unshare", *(["-m"] if is_root() else ["-Urm"]), "/bin/sh", "-c", hide + 'exec "$0" "$@"',
                *words, *option]
        done = subprocess.run(argv, env=box.env, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode == 99 or b"unshare" in done.stderr:
            skip("nothing can be hidden here: %r" % done.stderr)
        done = Done(words, done.returncode, done.stdout, done.stderr, 0)
        if option:
            assert (done.code == 125 and package in done.result["error"]["remedy"]
                    and done.result["reason"] == "sandbox_error"), done
        else:
            done.refused(125, language + " is not installed", "remedy: apt-get install " + package)


def test_doctor_names_the_same_programs(box):
    found = json.loads(subprocess.run([POLICY, "doctor", "--json"], env=box.env, capture_output=True).stdout)
    text = json.dumps(found)
    for language, (paths, _) in PROGRAMS.items():
        if any(os.access(p, os.X_OK) for p in paths):
            assert any(p in text or os.path.realpath(p) in text for p in paths), language


def test_the_interpreter_is_the_hosts_not_the_callers(box):
    """A shim in the caller's PATH is not what runs."""
    fake = box.directory("bin")
    for name in ("python3", "node", "bash"):
        box.file("bin/" + name, "#!/bin/sh\necho fake\n", 0o755)
    env = {"PATH": "%s:/usr/bin:/bin" % fake}
    fine(box.run("python", "print('real')", env=env), "real\n")
    fine(box.run("bash", "echo real", env=env), "real\n")


def test_a_compiler_that_takes_its_time_is_told_of_at_a_terminal(box):
    """And the line is taken away. What a pipe is told: tests/unit/test_progress.c."""
    need_language("go")
    main, terminal = os.openpty()
    slow = "package main\nimport (\"fmt\"; \"net/http\")\nfunc main() { fmt.Println(http.StatusText(200)) }\n"
    live = box.start(*box.words("go", slow, level="low"), stderr=terminal)
    os.close(terminal)
    seen = b""
    while b": 1 s" not in seen:
        assert select.select([main], [], [], PATIENCE)[0], seen
        seen += os.read(main, 4096)
    assert b"\rsandbox-agent: compiling go: 1 s" in seen and live.process.poll() is None, seen
    live.process.send_signal(signal.SIGINT)
    while select.select([main], [], [], PATIENCE)[0]:
        try:
            seen += os.read(main, 4096)
        except OSError:  # it has ended
            break
    live.process.wait()
    os.close(main)
    assert seen.rpartition(b" s")[2].startswith(b"\r" + b" " * len("sandbox-agent: compiling go: 1 s") + b"\r"), seen

"""programs.py - everyday programs of Debian, and a script for each that uses what makes it interesting to a sandbox:
children, threads, sockets, shared memory, locks, mmap, a pseudo-terminal. A script runs in an empty directory, prints
the same on every machine, and needs no network but loopback.

Program(name, package, needs, script, differs): needs is what must be there (programs, or «python:MODULE»); differs has
the explanation of each level at which the output is another one, which the tests demand to be so.
"""
from typing import Dict, NamedTuple


class Program(NamedTuple):
    name: str
    package: str
    needs: str
    script: str
    differs: Dict[str, str] = {}


class Both(Dict[str, str]):
    """One explanation for both levels."""

    def __init__(self, why):
        super().__init__(low=why, medium=why)

    def __mod__(self, word):
        return Both(self["low"] % word)


PTRACE = Both("ptrace is refused at every level: what traces may change what a traced process does between a check and "
              "its use")
ETC = Both("its configuration in /etc/%s is not part of the made-up /etc")
PTY = Both("no pseudo-terminals: a run has pipes, and /dev/pts is not there")

C = "printf '#include <stdio.h>\\nint main(void) { puts(\"compiled\"); return 0; }\\n' >a.c\n"
HERE = "python3 - <<'E'\n%s\nE"
NODE = "cat >a.js <<'E'\n%s\nE\nnode a.js"


def python(name, code, package="python3", needs="", **more):
    return Program("python: " + name, package, ("python3 " + needs).strip(), HERE % code.strip(), **more)


def node(name, code, **more):
    return Program("node: " + name, "nodejs", "node", NODE % code.strip(), **more)


PROGRAMS = (
    # building
    Program("make", "make", "make",
            "printf 'all: a b\\n\\t@cat a b\\na:\\n\\t@echo one >a\\nb:\\n\\t@echo two >b\\n' >Makefile\nmake -s -j4"),
    Program("gcc", "gcc", "gcc", C + "gcc -O2 -o a a.c && ./a"),
    Program("gcc with a pipe and link time optimisation", "gcc", "gcc", C + "gcc -pipe -flto -o a a.c && ./a"),
    Program("g++", "g++", "g++", "printf '#include <iostream>\\n#include <thread>\\nint main() { std::thread t([] { "
                                 "std::cout << \"thread\\\\n\"; }); t.join(); }\\n' >a.cc\n"
                                 "g++ -pthread -o a a.cc && ./a"),
    Program("clang", "clang", "clang", C + "clang -o a a.c && ./a"),
    Program("cmake", "cmake", "cmake make gcc",
            C + "printf 'cmake_minimum_required(VERSION 3.10)\\nproject(a C)\\nadd_executable(a a.c)\\n' "
                ">CMakeLists.txt\ncmake -S . -B b >/dev/null && cmake --build b >/dev/null && b/a"),
    Program("ninja", "ninja-build", "ninja gcc",
            C + "printf 'rule cc\\n  command = gcc $in -o $out\\nbuild a: cc a.c\\n' >build.ninja\n"
                "ninja -v >/dev/null && ./a"),
    Program("ccache", "ccache", "ccache gcc",
            C + "export CCACHE_DIR=$PWD/c; ccache gcc -c a.c && ccache gcc -o a a.o && ./a"),
    Program("gfortran", "gfortran", "gfortran",
            "printf '      print *, \"fortran\"\\n      end\\n' >a.f\ngfortran -o a a.f && ./a"),
    Program("nasm and ld", "nasm", "nasm ld",
            "printf 'global _start\\n_start: mov eax, 60\\nmov edi, 7\\nsyscall\\n' >a.asm\n"
            "nasm -f elf64 a.asm && ld -o a a.o && ./a; echo $?"),
    Program("go", "golang-go", "go",
            "printf 'package main\\nimport \"fmt\"\\nfunc main() { c := make(chan int); for i := 0; i < 4; i++ { go "
            "func(i int) { c <- i * i }(i) }; s := 0; for i := 0; i < 4; i++ { s += <-c }; fmt.Println(s) }\\n' >a.go\n"
            "export GOCACHE=$PWD/c GOFLAGS=-mod=mod GO111MODULE=off GOMAXPROCS=1\ngo run -p 1 a.go"),
    Program("go: the network poller", "golang-go", "go",
            "cat >a.go <<'E'\npackage main\nimport (\"fmt\"; \"io\"; \"net\")\nfunc main() {\n"
            " l, e := net.Listen(\"tcp\", \"127.0.0.1:0\")\n if e != nil { panic(e) }\n"
            " go func() { c, _ := l.Accept(); io.WriteString(c, \"polled\\n\"); c.Close() }()\n"
            " c, e := net.Dial(\"tcp\", l.Addr().String())\n if e != nil { panic(e) }\n b, _ := io.ReadAll(c)\n"
            " fmt.Print(string(b))\n}\nE\nexport GOCACHE=$PWD/c GO111MODULE=off GOMAXPROCS=1\ngo run -p 1 a.go"),
    Program("rustc", "rustc", "rustc",
            "printf 'fn main() { let t = std::thread::spawn(|| 6 * 7); println!(\"{}\", t.join().unwrap()); }\\n' "
            ">a.rs\nrustc -C codegen-units=1 -o a a.rs && ./a"),
    Program("bison", "bison", "bison",
            "printf '%%%%%%%%\\na: ;\\n%%%%%%%%\\n' | sed 's/%%%%/%%/g' >a.y\nbison -o a.c a.y 2>/dev/null; echo $?"),
    Program("flex", "flex", "flex",
            "printf '%%%%\\na { return 1; }\\n%%%%\\n' >a.l\n"
            "flex -o a.c a.l && grep -c yylex a.c >/dev/null && echo scanner"),
    Program("m4", "m4", "m4", "printf 'define(x, 42)x\\n' | m4"),
    Program("gdb on its own child", "gdb", "gdb gcc",
            C + "gcc -g -o a a.c && gdb -q -batch -nx -ex 'set startup-with-shell off' -ex 'break main' -ex run -ex "
                "continue ./a 2>/dev/null | grep -o '^Breakpoint 1, main\\|^compiled'", PTRACE),
    Program("strace of a child", "strace", "strace", "strace -f -o t echo traced && grep -c execve t", PTRACE),
    Program("valgrind", "valgrind", "valgrind", "valgrind -q /bin/true; echo $?"),
    # version control and archives
    Program("git", "git", "git", "export HOME=$PWD GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 "
                                 "+0000'\ngit init -q -b main r && cd r && git config user.name a && git config "
                                 "user.email a@b && echo x >x && git add x && git commit -qm m && git log --format=%H "
                                 "&& git clone -q . ../s && git -C ../s gc -q && git -C ../s fsck"),
    Program("tar", "tar", "tar gzip",
            "echo x >a; ln -s a b; tar czf c.tgz a b && mkdir d && tar xzf c.tgz -C d && ls -1 d && cat d/b"),
    Program("zip and unzip", "zip", "zip unzip", "echo x >a; zip -q a.zip a && unzip -p a.zip"),
    Program("xz", "xz-utils", "xz", "seq 1000 | xz -T2 | xz -d | tail -n 1"),
    Program("zstd", "zstd", "zstd", "seq 1000 | zstd -q -T2 | zstd -dq | tail -n 1"),
    Program("lz4", "lz4", "lz4", "seq 1000 | lz4 -q | lz4 -dq | tail -n 1"),
    Program("bzip2", "bzip2", "bzip2", "seq 1000 | bzip2 | bzip2 -d | tail -n 1"),
    Program("brotli", "brotli", "brotli", "seq 1000 | brotli | brotli -d | tail -n 1"),
    Program("7z", "p7zip-full", "7z", "echo x >a; 7z a a.7z a >/dev/null && 7z x -so a.7z"),
    Program("cpio", "cpio", "cpio",
            "echo x >a; echo a | cpio -o 2>/dev/null >c && rm a && cpio -i 2>/dev/null <c && cat a"),
    Program("rsync", "rsync", "rsync", "mkdir a; echo x >a/x; rsync -a a/ b/ && cat b/x"),
    Program("patch and diff", "patch", "patch diff", "echo 1 >a; echo 2 >b; diff -u a b >p; patch -s a p; cat a"),
    Program("dpkg-deb", "dpkg", "dpkg-deb",
            "mkdir -p t/DEBIAN; printf 'Package: a\\nVersion: 1\\nArchitecture: all\\nMaintainer: a "
            "<a@b>\\nDescription: a\\n' >t/DEBIAN/control; dpkg-deb -b --root-owner-group t a.deb >/dev/null && "
            "dpkg-deb -f a.deb Package"),
    # text
    Program("jq", "jq", "jq", "echo '{\"a\": [1, 2]}' | jq -c '.a | add'"),
    Program("perl", "perl", "perl",
            "perl -e 'my $p = open(my $h, \"-|\", \"echo child\"); print <$h>; pipe(R, W); if (!fork) { print W "
            "\"forked\\n\"; exit } wait; print scalar <R>'"),
    Program("sed, sort, awk", "mawk", "sed sort awk", "seq 5 | sed 's/3/x/' | sort -r | awk '{ print NR, $0 }'"),
    Program("gawk", "gawk", "gawk",
            "echo | gawk '{ print strftime(\"%Y\", 0, 1); \"echo piped\" | getline x; print x }'"),
    Program("grep and find", "findutils", "grep find",
            "mkdir -p a/b; echo needle >a/b/c; find a -type f -exec grep -l needle {} +"),
    Program("ripgrep", "ripgrep", "rg", "mkdir a; echo needle >a/x; rg -l needle a"),
    Program("fd", "fd-find", "fdfind", "mkdir a; touch a/x.py; fdfind -e py"),
    Program("xargs in parallel", "findutils", "xargs", "seq 8 | xargs -P 4 -n 1 echo | sort"),
    Program("parallel", "parallel", "parallel", "export HOME=$PWD; seq 4 | parallel -j 2 -k echo {} 2>/dev/null"),
    Program("bc and dc", "bc", "bc dc", "echo '2^64' | bc; echo '2 3 * p' | dc"),
    Program("xmllint", "libxml2-utils", "xmllint", "echo '<a><b>x</b></a>' | xmllint --xpath '//b/text()' -"),
    Program("xsltproc", "xsltproc", "xsltproc",
            "printf '<x:stylesheet version=\"1.0\" xmlns:x=\"http://www.w3.org/1999/XSL/Transform\"><x:output "
            "method=\"text\"/><x:template match=\"/\">done</x:template></x:stylesheet>' >s; echo '<a/>' | xsltproc s - "
            "&& echo"),
    Program("file", "file", "file", "printf '#!/bin/sh\\n' >a; file -b a"),
    Program("tree", "tree", "tree", "mkdir -p a/b; tree --noreport a"),
    Program("groff", "groff-base", "groff",
            "printf '.TH A 1\\nword\\n' | groff -Tascii -man 2>/dev/null | grep -c word"),
    Program("shellcheck", "shellcheck", "shellcheck",
            "printf '#!/bin/sh\\necho $x\\n' >a; shellcheck -f gcc a | grep -c SC2086"),
    Program("pandoc", "pandoc", "pandoc", "echo '# *a*' | pandoc -t html"),
    Program("sponge", "moreutils", "sponge", "seq 3 >a; sort -r a | sponge a; cat a"),
    # pictures, sound, print
    Program("imagemagick", "imagemagick", "convert",
            "convert -size 8x8 xc:red a.png && convert a.png -resize 4x4 -format '%w' info: && echo"),
    Program("graphviz", "graphviz", "dot", "echo 'digraph { a -> b }' | dot -Tplain | grep -c node"),
    Program("ffmpeg", "ffmpeg", "ffmpeg",
            "ffmpeg -nostdin -v error -threads 2 -f lavfi -i testsrc=s=32x32:d=0.2 -f framemd5 - | tail -n 1"),
    Program("sox", "sox", "sox", "sox -n -r 8000 a.wav synth 0.1 sine 440 && sox a.wav -n stat 2>&1 | grep -c Length"),
    Program("ghostscript", "ghostscript", "gs", "echo '(printed) = quit' | gs -q -dNODISPLAY -"),
    Program("pdftotext", "poppler-utils", "pdftotext gs",
            "echo '/Helvetica findfont 9 scalefont setfont 9 9 moveto (page) show showpage' | gs -q -sDEVICE=pdfwrite "
            "-o a.pdf - && pdftotext a.pdf - | head -n 1"),
    # databases and keys
    Program("sqlite3", "sqlite3", "sqlite3",
            "sqlite3 a.db 'pragma journal_mode=wal; create table t(x); insert into t values(42); select x from t;'"),
    Program("postgresql", "postgresql-15", "/usr/lib/postgresql/15/bin/initdb",
            "export PATH=/usr/lib/postgresql/15/bin:$PATH LC_ALL=C\n[ \"$(id -u)\" -ne 0 ] || { echo 42; exit; }\n"
            "initdb -D d -A trust -N >/dev/null && pg_ctl -D d -s -w -o \"-k $PWD -c listen_addresses= -c "
            "shared_buffers=1MB -c max_connections=5\" -l log start && psql -h $PWD -Atc 'select 6*7' postgres; pg_ctl "
            "-D d -s -m immediate stop",
            {"medium": "the strict filter has no System V shared memory (shmget), which every PostgreSQL takes a "
                       "little of"}),
    Program("openssl", "openssl", "openssl",
            "openssl rand -hex 4 | wc -c; echo x | openssl dgst -sha256 -r; openssl genpkey -algorithm ed25519 -out k "
            "&& openssl pkey -in k -pubout | head -n 1"),
    Program("gpg", "gnupg", "gpg",
            "export GNUPGHOME=$PWD/g; mkdir -m 700 g; echo secret | gpg --batch -q --s2k-count 65536 --passphrase x "
            "--pinentry-mode loopback -c -o a 2>/dev/null; gpg --batch -q --passphrase x --pinentry-mode loopback -d a "
            "2>/dev/null; gpgconf --kill all 2>/dev/null"),
    Program("ssh-keygen", "openssh-client", "ssh-keygen",
            "ssh-keygen -q -t ed25519 -N '' -C a -f k && cut -d' ' -f1 k.pub"),
    # languages
    Program("bash: jobs and traps", "bash", "bash",
            "trap 'echo trapped' USR1; (sleep 0.2; kill -USR1 $$) & wait; wait; coproc cat; echo co "
            ">&\"${COPROC[1]}\"; read -r x <&\"${COPROC[0]}\"; echo $x; diff <(echo 1) <(echo 1) && echo same"),
    Program("dash", "dash", "dash", "dash -c 'set -- a b; echo $#; (exit 3); echo $?'"),
    Program("busybox", "busybox", "busybox", "busybox sh -c 'seq 3 | busybox tac'"),
    Program("ruby", "ruby", "ruby",
            "ruby -e 'puts IO.popen(\"echo child\").read; r, w = IO.pipe; fork { w.puts \"forked\" }; Process.wait; "
            "puts r.gets; puts Thread.new { 42 }.value'"),
    Program("php", "php-cli", "php", "php -r 'echo json_encode([1, 2]), \"\\n\"; echo shell_exec(\"echo child\");'"),
    Program("java", "default-jdk-headless", "java javac",
            "printf 'public class A { public static void main(String[] a) throws Exception { Thread t = new Thread(() "
            "-> System.out.println(42)); t.start(); t.join(); } }\\n' >A.java\nexport JAVA_TOOL_OPTIONS=\n"
            "javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 A.java && java -XX:+UseSerialGC A 2>/dev/null",
            ETC % "java-17-openjdk"),
    Program("java: the virtual machine", "default-jre-headless", "java",
            "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -version 2>&1 | grep -c Runtime"),
    Program("R", "r-base-core", "R",
            "R --vanilla -s -e 'cat(sum(1:10), system(\"echo child\", intern = TRUE), \"\\n\")'", ETC % "R"),
    Program("lua", "lua5.4", "lua5.4", "lua5.4 -e 'print(io.popen(\"echo child\"):read())'"),
    Program("tcl", "tcl", "tclsh",
            "echo 'puts [exec echo child]; set s [socket -server {apply {{c h p} {puts $c hi; close $c}}} -myaddr "
            "127.0.0.1 0]; puts [expr {[lindex [fconfigure $s -sockname] 2] > 0}]' >a.tcl; tclsh a.tcl"),
    Program("expect: a pseudo-terminal", "expect", "expect",
            "echo 'log_user 0; spawn sh -c {test -t 0 && echo a terminal}; expect {a terminal} {puts seen}' >a; expect "
            "a", PTY),
    Program("guile", "guile-3.0", "guile",
            "export HOME=$PWD; guile --no-auto-compile -c '(display (* 6 7)) (newline)'"),
    Program("ocaml", "ocaml-nox", "ocaml", "echo 'print_endline (string_of_int (6 * 7));;' >a.ml; ocaml a.ml"),
    Program("prolog", "swi-prolog-nox", "swipl", "swipl -g 'X is 6*7, write(X), nl' -t halt"),
    Program("erlang", "erlang-base", "erl",
            "erl +S 1 +SDio 1 -noshell -eval 'S = self(), spawn(fun() -> S ! 42 end), receive X -> io:format(\"~p~n\", "
            "[X]) end, halt().'"),
    Program("gnuplot", "gnuplot-nox", "gnuplot", "gnuplot -e 'set term dumb 20 5; set print \"-\"; print 6*7'"),
    python("children", "import subprocess, os\nprint(subprocess.run(['echo', 'child'], capture_output=True, "
                       "text=True).stdout, end='')\npid = os.posix_spawn('/bin/true', ['true'], {}, resetids=True)\n"
                       "print(os.waitpid(pid, 0)[1])"),
    python("threads", "from concurrent.futures import ThreadPoolExecutor\n"
                      "with ThreadPoolExecutor(4) as p: print(list(p.map(lambda x: x * x, range(5))))"),
    python("asyncio", "import asyncio\nasync def main():\n    async def serve(r, w):\n"
                      "        w.write((await r.readline()).upper()); await w.drain(); w.close()\n"
                      "    s = await asyncio.start_server(serve, '127.0.0.1', 0)\n"
                      "    r, w = await asyncio.open_connection(*s.sockets[0].getsockname())\n"
                      "    w.write(b'echo\\n'); print((await r.readline()).decode().strip())\n"
                      "    w.close(); s.close()\n"
                      "    p = await asyncio.create_subprocess_exec('echo', 'child', stdout=-1)\n"
                      "    print((await p.communicate())[0].decode().strip())\nasyncio.run(main())"),
    python("multiprocessing with shared memory",
           "import multiprocessing as m\nfrom multiprocessing import shared_memory\n"
           "s = shared_memory.SharedMemory(create=True, size=16)\ns.buf[0] = 42\n"
           "t = shared_memory.SharedMemory(name=s.name)\nprint(t.buf[0])\nt.close(); s.close(); s.unlink()\n"
           "def f(x): return x * x\nwith m.get_context('fork').Pool(2) as p: print(p.map(f, range(4)))\nl = m.Lock()\n"
           "with l: print('locked')"),
    python("mmap, flock, sendfile, inotify",
           "import mmap, fcntl, os, tempfile\nf = tempfile.TemporaryFile(); f.write(b'x' * 4096); f.flush()\n"
           "m = mmap.mmap(f.fileno(), 4096); print(m[0]); fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, "
           "fcntl.LOCK_EX)\ng = tempfile.TemporaryFile(); print(os.sendfile(g.fileno(), f.fileno(), 0, 100)); "
           "print(os.copy_file_range(f.fileno(), g.fileno(), 10, 0))"),
    python("sockets of all local kinds",
           "import socket\na, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))\n"
           "u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(('127.0.0.1', 0)); v = "
           "socket.socket(socket.AF_INET, socket.SOCK_DGRAM); v.sendto(b'datagram', u.getsockname()); "
           "print(u.recv(99))\ns = socket.socket(socket.AF_UNIX); s.bind('s'); s.listen(); c = "
           "socket.socket(socket.AF_UNIX); c.connect('s'); print('connected')"),
    python("http.server and urllib",
           "import http.server, threading, urllib.request\nclass H(http.server.BaseHTTPRequestHandler):\n"
           "    def do_GET(self): self.send_response(200); self.end_headers(); self.wfile.write(b'served')\n"
           "    def log_message(self, *a): pass\ns = http.server.ThreadingHTTPServer(('127.0.0.1', 0), H)\n"
           "threading.Thread(target=s.serve_forever, daemon=True).start()\n"
           "print(urllib.request.build_opener(urllib.request.ProxyHandler({})).open('http://127.0.0.1:%d/' % "
           "s.server_port).read())\ns.shutdown()"),
    python("signals and timers", "import signal, os\nsignal.signal(signal.SIGALRM, lambda *a: print('alarm'))\n"
                                 "signal.setitimer(signal.ITIMER_REAL, 0.05); signal.pause()\n"
                                 "os.kill(os.getpid(), 0); print('alive')"),
    python("pty", "import pty, os\npid, fd = pty.fork()\n"
                  "if pid == 0: os.execvp('sh', ['sh', '-c', 'test -t 1 && echo a terminal'])\n"
                  "print(os.read(fd, 99).decode().strip()); os.waitpid(pid, 0)", differs=PTY),
    python("sqlite3", "import sqlite3\nc = sqlite3.connect('a.db'); c.execute('create table t(x)'); c.execute('insert "
                      "into t values (42)'); c.commit(); print(c.execute('select x from t').fetchall())"),
    python("venv without pip", "import subprocess, sys, venv\nvenv.create('v', with_pip=False, symlinks=True)\n"
                               "print(subprocess.run(['v/bin/python', '-c', 'import sys; print(sys.prefix != "
                               "sys.base_prefix)'], capture_output=True, text=True).stdout, end='')",
                               package="python3-venv"),
    python("zoneinfo, locale, uuid",
           "import zoneinfo, uuid, datetime, locale\n"
           "print(datetime.datetime(2026, 1, 1, tzinfo=zoneinfo.ZoneInfo('UTC')).isoformat(), len(str(uuid.uuid4())), "
           "locale.setlocale(locale.LC_ALL, 'C.UTF-8'))"),
    python("numpy", "import numpy as n\nprint(n.linalg.det(n.eye(3)), n.arange(4).sum())", package="python3-numpy",
           needs="python:numpy"),
    python("pandas", "import pandas as p\nprint(p.DataFrame({'a': [1, 2]}).a.sum())", package="python3-pandas",
           needs="python:pandas"),
    python("requests", "import requests\nprint(requests.Request('GET', 'http://a/').prepare().url)",
           package="python3-requests", needs="python:requests"),
    python("aiohttp", "import asyncio\nfrom aiohttp import web, ClientSession\nasync def main():\n"
                      "    async def h(r): return web.Response(text='served')\n"
                      "    a = web.Application(); a.router.add_get('/', h); r = web.AppRunner(a); await r.setup(); s = "
                      "web.TCPSite(r, '127.0.0.1', 0); await s.start()\n    async with ClientSession() as c:\n"
                      "        async with c.get('http://127.0.0.1:%d/' % s._server.sockets[0].getsockname()[1]) as x: "
                      "print(await x.text())\n    await r.cleanup()\nasyncio.run(main())", package="python3-aiohttp",
                      needs="python:aiohttp"),
    python("uvloop: libuv", "import asyncio, uvloop\nasync def main():\n"
                            "    p = await asyncio.create_subprocess_exec('echo', 'child', stdout=-1); print((await "
                            "p.communicate())[0]); print(type(asyncio.get_running_loop()).__module__)\n"
                            "uvloop.install(); asyncio.run(main())", package="python3-uvloop", needs="python:uvloop"),
    python("pillow", "from PIL import Image\ni = Image.new('RGB', (4, 4), 'red'); i.save('a.png'); "
                     "print(Image.open('a.png').size)", package="python3-pil", needs="python:PIL"),
    python("sqlalchemy", "import sqlalchemy as s\nwith s.create_engine('sqlite://').connect() as c: "
                         "print(c.execute(s.text('select 6*7')).scalar())", package="python3-sqlalchemy",
                         needs="python:sqlalchemy"),
    python("lxml", "from lxml import etree\nprint(etree.fromstring('<a><b/></a>')[0].tag)", package="python3-lxml",
           needs="python:lxml"),
    python("cryptography", "from cryptography.fernet import Fernet\n"
                           "f = Fernet(Fernet.generate_key()); print(f.decrypt(f.encrypt(b'x')))",
                           package="python3-cryptography", needs="python:cryptography"),
    python("yaml and jsonschema", "import yaml, jsonschema\n"
                                  "jsonschema.validate(yaml.safe_load('a: 1'), {'required': ['a']}); print('valid')",
                                  package="python3-jsonschema", needs="python:yaml python:jsonschema"),
    Program("pytest", "python3-pytest", "python3 python:pytest",
            "printf 'def test_a(tmp_path): assert tmp_path.exists()\\n' >test_a.py\n"
            "python3 -m pytest -q -p no:cacheprovider test_a.py | sed 's/ in .*//' | tail -n 1"),
    Program("pip, without a network", "python3-pip", "python3 python:pip",
            "mkdir p; printf '[project]\\nname = \"a\"\\nversion = \"1\"\\n' >p/pyproject.toml\n"
            "python3 -m pip --version | cut -d' ' -f1"),
    node("promises and timers", "setTimeout(() => console.log('later'), 20); Promise.resolve().then(() => "
                                "console.log('now'))"),
    node("children", "const c = require('child_process'); console.log(c.execFileSync('echo', "
                     "['child']).toString().trim()); c.exec('echo shell', (e, o) => console.log(o.trim()))"),
    node("files and watches: libuv's threads",
         "const fs = require('fs'); fs.promises.writeFile('a', 'x').then(() => fs.promises.readFile('a', "
         "'utf8')).then(console.log); require('crypto').pbkdf2('a', 'b', 10, 8, 'sha1', (e, k) => "
         "console.log(k.toString('hex')))"),
    node("workers", "const w = require('worker_threads'); if (w.isMainThread) new w.Worker(__filename).on('message', m "
                    "=> console.log(m)); else w.parentPort.postMessage(42)"),
    node("http on the loopback", "const h = require('http'); const s = h.createServer((q, r) => "
                                 "r.end('served')).listen(0, '127.0.0.1', () => h.get({ port: s.address().port, host: "
                                 "'127.0.0.1' }, r => r.on('data', d => { console.log(String(d)); s.close() })))"),
    node("datagrams", "const d = require('dgram'); const s = d.createSocket('udp4'); s.bind(0, '127.0.0.1', () => { "
                      "s.on('message', m => { console.log(String(m)); s.close() }); const c = d.createSocket('udp4'); "
                      "c.send('datagram', s.address().port, '127.0.0.1', () => c.close()) })"),
    Program("node: its test runner", "nodejs", "node",
            "echo \"const t = require('node:test'); t('sums', () => {})\" >a.js; node a.js | grep -c '^# pass 1'"),
    Program("npm, without a network", "npm", "npm",
            "export HOME=$PWD; echo '{\"name\": \"a\", \"version\": \"1.0.0\", \"scripts\": {\"hi\": \"echo "
            "script\"}}' >package.json; npm --offline --no-update-notifier -s run hi"),
    # everyday
    Program("coreutils", "coreutils", "date stat df",
            "date -u -d @0 +%Y; stat -c %s /dev/null; head -c 3 /dev/urandom | wc -c; printf 'b\\na\\n' | sort | "
            "sha256sum; timeout 5 true; echo $?; nproc >/dev/null; mkfifo f; (echo x >f &); cat f"),
    Program("curl on the loopback", "curl", "curl python3",
            "echo served >x; python3 -m http.server --bind 127.0.0.1 18734 >/dev/null 2>&1 & p=$!\n"
            "for i in $(seq 100); do curl -s --noproxy '*' http://127.0.0.1:18734/x; case $? in 0|126|127) break;; "
            "esac; sleep 0.1; done; kill $p",
            {"medium": "curl is among the commands that medium keeps from bash and commands "
                       "(languages.bash.restricted_commands)"}),
    Program("ps and kill", "procps", "ps", "sleep 60 & kill $!; wait $! 2>/dev/null; echo $?; ps -o comm= -p $$"),
    Program("script of less and man pages", "less", "less", "seq 3 >a; less -F a | cat"),
)

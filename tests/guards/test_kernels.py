"""The kernels of Node and bash (guards/kernel_node.js, kernel_bash.sh), alone; Node's behind the guard, too. Frames are
those of test_python_kernel.py."""
import os
import signal
import time

import pytest

import test_python_kernel
from test_node_guard import MEDIUM, NODE, filled

PLACE = test_python_kernel.GUARD.parent


class NodeKernel(test_python_kernel.Kernel):
    @staticmethod
    def command(directory, rules, request, reply, _reaper):
        words = [NODE, "--v8-pool-size=1", "--require", PLACE / "kernel_node.js"]
        if rules is not None:
            guard = directory / ".guard.js"
            guard.write_text(filled(rules))
            words += ["--expose-internals", "--require", guard]
        return [*words, "-e", "0", request, reply]


class BashKernel(test_python_kernel.Kernel):
    @staticmethod
    def command(directory, rules, request, reply, _reaper):
        return ["/usr/bin/env", "TMPDIR=%s" % directory,
                "/bin/bash", "--noprofile", "--norc", PLACE / "kernel_bash.sh", request, reply]


def kernel_of(kind, directory, rules=None):
    kernel = kind(directory, rules)
    yield kernel
    kernel.close()


@pytest.fixture(params=[None, MEDIUM], ids=["alone", "guarded"])
def node(request, tmp_path):
    yield from kernel_of(NodeKernel, tmp_path, request.param)


@pytest.fixture
def bash(tmp_path):
    yield from kernel_of(BashKernel, tmp_path)


def text(kernel, source):
    """-> the value's text"""
    results, error = kernel.run(source)
    assert error is None, error
    return results[-1][1]["text/plain"].decode()


def test_who_reads_is_woken_once_by_a_cell_with_a_value_or_an_error(node):
    assert node.said_at_once("1+1") == b"r 1 5\nvaluem 1 12\ntext/plain\x002d 1 0\n"
    assert node.said_at_once("x.y").endswith(b"d 2 0\n")


def failure(kernel, source):
    return kernel.run(source)[1][:2]


def interrupted(kernel, source, then):
    """Until it is: a signal may come before the cell has begun."""
    kernel.start(source)
    end = time.monotonic() + test_python_kernel.PATIENCE
    while not test_python_kernel.select.select([kernel.replies], [], [], 0.2)[0]:
        assert time.monotonic() < end, "it is not interrupted"
        os.killpg(kernel.process.pid, signal.SIGINT)  # all of its processes, as the service does
    assert kernel.finish()[1][:2] == ["Interrupted", "the cell was interrupted"]
    return then(kernel)


# --- Node ---------------------------------------------------------------------------------------------------------

def test_names_stay_and_may_be_declared_again(node):
    assert text(node, "let x = 1; const y = 2; class A {}; function f() { return x; }; x + y") == "3"
    assert text(node, "let x = 5; const y = 3; class A {}; f() * y") == "15"
    assert text(node, "_ + 1") == "16"
    assert text(node, "await new Promise((done) => setTimeout(() => done(42), 5))") == "42"
    assert node.run("let quiet = 1")[0] == []


@pytest.mark.parametrize("source, value", [
    ("import p, {join as j} from 'path'; import * as all from 'node:path'\np.join('a', j('c')) + typeof all.join",
     "'a/cfunction'"),
    ("const {basename} = await import('path'); basename('/a/b')", "'b'"),
    ("const t = 'import(1)' + `${'x'}import(2)` + /import\\(3\\)/.source // import(4)\nt",
     "'import(1)ximport(2)import\\\\(3\\\\)'"),
    ("const o = {'import': (n) => n}; o.import(7) / 7 / 1", "1"), ("require('path').basename('/a/c')", "'c'"),
    ("-0", "-0"), ("12n ** 2n", "144n"), ("null", "null"), ("Symbol('s')", "Symbol(s)"),
    ("[1, {a: 2}]", "[ 1, { a: 2 } ]")])
def test_values_and_imports(node, source, value):
    assert text(node, source) == value


def test_a_value_tells_its_forms(node):
    forms = "{'text/html': '<b>1</b>', 'image/png': Buffer.from([1, 0, 2]), 'application/json': {a: 1}}"
    made = "({[Symbol.for('Jupyter.display')]() { return %s; }})" % forms
    (kind, forms), (last, _) = node.run("display(%s); 1" % made)[0]
    assert (kind, last) == ("display", "value") and forms["image/png"] == b"\1\0\2"
    assert forms["text/html"] == b"<b>1</b>"
    assert forms["application/json"] == b'{"a":1}' and b"Jupyter.display" in forms["text/plain"]
    assert len(node.run("for (let i = 0; i < 70; i++) display(i)")[0]) == 64


def test_errors_have_name_value_and_their_own_frames(node):
    name, value, trace = node.run("function f() { throw new TypeError('bad'); }\nf()")[1]
    assert (name, value) == ("TypeError", "bad") and "at f (cell-1:1:22)" in trace
    assert "kernel_node" not in trace and "node:" not in trace
    assert failure(node, "nowhere") == ["ReferenceError", "nowhere is not defined"]
    assert failure(node, "throw 5") == ["Uncaught", "5"]
    assert failure(node, "let (")[0] == "SyntaxError"
    assert failure(node, "await Promise.reject(new RangeError('far'))") == ["RangeError", "far"]
    assert text(node, "1") == "1"


def test_an_error_of_a_timer_is_told_and_the_kernel_goes_on(node):
    text(node, "setTimeout(() => { throw new Error('late'); }, 1); Promise.reject(new Error('left'));"
               "await new Promise((done) => setTimeout(done, 50)); 1")
    node.err.seek(0)
    said = node.err.read().decode()
    assert "Error: late" in said and "Error: left" in said and text(node, "2") == "2"


@pytest.mark.parametrize("source", ["while (true) {}", "await new Promise(() => {})"])
def test_a_cell_of_node_is_interrupted(node, source):
    text(node, "globalThis.kept = 7")
    assert interrupted(node, source, lambda k: text(k, "kept")) == "7"


def test_the_guard_judges_what_cells_ask_for(tmp_path):
    for kernel in kernel_of(NodeKernel, tmp_path, MEDIUM):
        for source in ("require('fs')", "import fs from 'fs'", "(await import('child_process')).exec"):
            assert "blocked at this risk level" in failure(kernel, source)[1], source
        assert text(kernel, "require('path').sep") == "'/'"
        assert failure(kernel, "require('internal/bootstrap/realm')")[0] == "Error"


def test_what_node_starts_is_no_kernel(tmp_path):
    (tmp_path / "child.js").write_text("process.send([process.argv.length, process.execArgv.join()])")
    for kernel in kernel_of(NodeKernel, tmp_path):
        heard = "await new Promise((done) => %s.on('message', done))"
        assert text(kernel, heard % "require('child_process').fork('./child.js')") == "[ 2, '--v8-pool-size=1' ]"
        work = 'require("worker_threads").parentPort.postMessage(7)'
        assert text(kernel, heard % ("new (require('worker_threads').Worker)('%s', {eval: true})" % work)) == "7"


def test_a_closed_descriptor_ends_the_kernel(tmp_path):
    for kind, source in ((NodeKernel, "process.exit(3)"), (BashKernel, "kill -9 $$")):
        for kernel in kernel_of(kind, tmp_path):
            kernel.start(source)
            with pytest.raises(EOFError):
                kernel.finish()


# --- bash ------------------------------------------------------------------------------------------------------------

def said(kernel, source, error=None):
    """-> what the cell wrote to standard output"""
    start = kernel.out.seek(0, 2)
    results, found = kernel.run(source)
    assert results == [] and (found and found[:2]) == error, found
    kernel.out.seek(start)
    return kernel.out.read().decode()


def test_the_state_of_bash_stays(bash):
    said(bash, "mkdir -p 'a b'; cd 'a b'; x=1; arr=(1 'two three'); declare -A map=([k v]=w); export EX=yes\n"
               "readonly r=2; f() { local q=\"it's\"; echo \"$q $x\"; }")
    told = said(bash, "pwd; f; echo ${arr[1]} ${map[k v]} $EX $r; sh -c 'echo $EX'").split("/")[-1]
    assert told == "a b\nit's 1\ntwo three w yes 2\nyes\n"
    said(bash, "unset x; umask 027; alias hi='echo hello'; shopt -s expand_aliases nullglob")
    assert said(bash, "hi; umask; echo ${x-none} *.nothing") == "hello\n0027\nnone\n"


@pytest.mark.parametrize("source, status", [
    ("false", "1"), ("exit 4", "4"), ("set -e; false; echo never", "1"), ("set -u; echo $nope", "1"), ("if", "2"),
    ("(exit 3)", "3"), ("exec sh -c 'exit 5'", "5")])
def test_a_cell_that_fails_does_not_end_the_kernel(bash, source, status):
    said(bash, "kept=1")
    assert said(bash, source, ["ExitStatus", status]) == ""
    assert said(bash, "set +eu; echo $kept") == "1\n"


def test_options_stay_and_do_not_break_the_kernel(bash):
    said(bash, "set -eux; IFS=,; set -f")
    assert said(bash, "a='1,2'; printf '%s.' $a *; echo $-").startswith("1.2.*.") and "u" in said(bash, "echo $-")
    bash.err.seek(0)
    assert b"__kernel" not in bash.err.read()


@pytest.mark.parametrize("source", [
    "while :; do :; done", "f() { while :; do :; done; }; f", "read -r line < <(sleep 1000)"])
def test_a_cell_of_bash_is_interrupted(bash, source):
    said(bash, "kept=7")
    assert interrupted(bash, source, lambda k: said(k, "echo $kept")) == "7\n"


def test_what_bash_starts_does_not_get_the_descriptors(bash):
    assert said(bash, "sh -c 'ls /proc/self/fd | wc -l'").strip() == "4"  # three, and ls's own
    assert said(bash, "head -c 1 | wc -c").strip() == "0"
    assert said(bash, "echo $#") == "0\n"

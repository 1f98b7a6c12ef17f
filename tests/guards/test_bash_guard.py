"""The bash guard: a blocked command says that it is blocked, everything else is bash's own, to the byte."""
import json
import os
import subprocess
from pathlib import Path

import pytest

BASH = "/usr/bin/bash"
GUARD = Path(__file__).resolve().parents[2] / "guards" / "bash_guard.sh"
LINE = "  local blocked='' report_fd='' # replaced by the launcher"


class Box:
    def __init__(self, directory):
        self.directory = directory

    def run(self, script, blocked=None, report_fd="", flags=(), args=(), path="/usr/bin:/bin", **more):
        main, guard = self.directory / "main.sh", self.directory / ".guard.sh"
        main.write_text(script)
        environment = {"PATH": path, "HOME": str(self.directory)}
        if blocked is not None:
            text = GUARD.read_text()
            assert text.splitlines().count(LINE) == 1
            guard.write_text(text.replace(LINE, f"  local blocked='{blocked}' report_fd='{report_fd}'"))
            environment["BASH_ENV"] = str(guard)
        return subprocess.run([BASH, *flags, main, *args], capture_output=True, env=environment, cwd=self.directory,
                              timeout=20, **more)

    def same(self, script, **more):
        plain, guarded = self.run(script, **more), self.run(script, "nosuchtool no-such-tool", **more)
        assert (guarded.stdout.decode(), guarded.stderr.decode(),
                guarded.returncode) == (plain.stdout.decode(), plain.stderr.decode(), plain.returncode)
        return guarded


@pytest.fixture
def box(tmp_path):
    return Box(tmp_path)


SAME = {
    "what a script sees": 'echo "$0 $_ $# $* $LINENO ${BASH_SOURCE[*]} $SHLVL $- ${BASH_ENV-unset} $BASHOPTS '
                          '$SHELLOPTS $PWD $?"; compgen -v | grep -v BASHPID | grep -v EXECIGNORE | sort; env | grep '
                          '-v ^_= | sort; trap -p; alias; shopt\n',
    "missing commands everywhere": """
missing1 a b
f() {

  missing2
  echo "in f $?"
}
f; ( missing3 ); x=$(missing4); echo "$?"
missing5 | cat; echo "${PIPESTATUS[*]}"
eval 'missing6'; eval $'\\n\\nmissing7'
if missing8; then :; else echo no; fi
! missing9; missing10 && echo x || echo y
missing11 2>/dev/null; echo $?
command missing12; "mis sing13"; ''; /no/such/file; ./none
a=1 missing14
for i in 1 2; do
  missing15
done
[[ -n $(missing16
) ]]
missing17 \\
  a \\
  b
while read -r l; do missing18; done <<< a
command -v curl missing; type missing19; exec missing20
""",
    "in a sourced file": "printf 'missing1\\nf() {\\n\\n missing2\\n}\\n' > lib.sh\n. ./lib.sh\nf\n",
    "set -e": "set -e\necho a\nmissing\necho b\n",
    "set -eu and pipefail": "set -euo pipefail\nmissing | cat\necho b\n",
    "set -e in a condition": "set -e\nif missing; then echo x; fi\nmissing || echo handled\necho on\n",
    "set -u": "set -u\nmissing\necho \"$nothing\"\necho no\n",
    "an unset variable": "set -u\necho $x\n",
    "traps": "trap 'missing_in_trap' EXIT\ntrap 'echo err $LINENO' ERR\nmissing\nfalse\n",
    "set -E and functrace": "set -ET\ntrap 'echo err $?' ERR\nmissing\n",
    "strange settings": "IFS=lo\nset -f\nPATH=\nmissing\nLC_ALL=C\nprintf() { echo mine; }\nlocal() { echo mine; }\n"
                        "missing\n",
    "a handler of its own": "command_not_found_handle() { echo mine \"$@\"; return 3; }\nmissing a\necho $?\n",
    "a syntax error": "echo a\nif then\n",
    "exit codes": "exit 7\n",
    "a signal": "kill -TERM $$\n",
    "reading standard input": "read -r a; echo \"$a\"; cat\n",
    "children": "bash -c 'missing; echo ${BASH_ENV-unset}'; sh -c 'echo x'; (echo y)\n",
    "background jobs": "missing & wait $!; echo $?\n",
    "coproc, arrays, arithmetic": "a=(1 2); ((x = a[0] + 5)); echo $x ${#a[@]} {1..3}; mapfile -t m < <(echo q); echo "
                                  "${m[0]}\n",
}


@pytest.mark.parametrize("name", SAME)
def test_script_behaves_as_without_the_guard(box, name):
    box.same(SAME[name], args=("a", "b c"), input=b"first\nrest\n")


@pytest.mark.parametrize("name", ["missing commands everywhere", "set -eu and pipefail", "traps"])
def test_restricted_shell_behaves_as_without_the_guard(box, name):
    box.same(SAME[name] + "cd /\necho x > y\nexport PATH=/\n", flags=("-r",))


@pytest.mark.parametrize("flags", [(), ("-r",)])
def test_blocked_command_says_so(box, flags):
    result = box.run("echo a\ncurl http://x\necho $?\nf() {\n  wget\n}\nf\n", "curl wget", flags=flags,
                     path="/nonexistent")
    assert result.stdout == b"a\n127\n" and result.returncode == 127
    main = box.directory / "main.sh"
    assert result.stderr.decode() == (f"{main}: line 2: curl: blocked at this risk level (blocked_commands)\n"
                                      f"{main}: line 5: wget: blocked at this risk level (blocked_commands)\n")


def test_blocked_command_ends_a_careful_script_like_a_missing_one(box):
    result = box.run("set -eu\ncurl x\necho no\n", "curl", path="/nonexistent")
    assert result.returncode == 127 and result.stdout == b""


@pytest.mark.parametrize("flags", [(), ("-r",)])
def test_blocked_command_is_reported(box, flags):
    read, write = os.pipe()
    box.run("set -eu\nIFS=c\ncurl x || wget || missing || true\n", "curl wget", write, flags=flags, path="/nonexistent",
            pass_fds=(write,))
    os.close(write)
    with os.fdopen(read) as stream:
        assert [json.loads(line) for line in stream] == [{"type": "begun", "detail": "program"}, {
            "type": "blocked_command", "detail": "curl"}, {"type": "blocked_command", "detail": "wget"}]


def test_a_report_descriptor_that_is_closed_is_no_failure(box):
    result = box.run("set -eu\ncurl x || echo $?\n", "curl", 57, path="/nonexistent")
    assert result.stdout == b"127\n" and result.stderr.count(b"\n") == 1


def test_a_report_that_nobody_reads_is_no_failure(box):
    read, write = os.pipe()
    os.close(read)
    result = box.run("curl x || echo $?\n", "curl", write, path="/nonexistent", pass_fds=(write,))
    os.close(write)
    assert result.stdout == b"127\n"

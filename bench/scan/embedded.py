#!/usr/bin/env python3
"""How much of what the scan finds in a plain program it finds when that program stands inside another.

    bench/scan/embedded.py [--scan build/libexec/sandbox-agent/sandbox-scan] [--missed] [FORM ...]

Each program of tests/data/scan is scanned alone, and then in each form: a here-document, a -c text, a file that is
written and run, decoded text. Of the risky ones that are found alone the share that is found inside; of the ordinary
ones that are not raised alone the share that is raised inside.
"""
import argparse
import base64
import codecs
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = {"python": "python3", "node": "node", "bash": "bash"}
ENDING = {"python": ".py", "node": ".js", "bash": ".sh", "go": ".go", "rust": ".rs"}
TEXT_OPTION = {"python": "-c", "node": "-e", "bash": "-c"}


def b64(text):
    return base64.b64encode(text.encode()).decode()


def js(text):
    return json.dumps(text)


def raw(text):
    """A raw string of Rust or Go that holds the text."""
    return 'r####"' + text + '"####'


# outer language, form's name -> a function of (language, text), which gives the outer program or None: does not fit
FORMS = {}


def form(outer, *languages):
    def keep(f):
        FORMS[f"{outer}:{f.__name__}"] = (outer, languages or tuple(RUN), f)
        return f
    return keep


@form("bash")
def heredoc(lang, text):
    return f"set -e\n{RUN[lang]} - <<'EOF'\n{text}\nEOF\n" if lang != "bash" else f"set -e\nbash <<'EOF'\n{text}\nEOF\n"


@form("bash")
def heredoc_unquoted(lang, text):
    return f"{RUN[lang]} <<EOF\n{text}\nEOF\n" if not set("$`\\") & set(text) else None


@form("bash")
def heredoc_pipe(lang, text):
    return f"cat <<'PY' | {RUN[lang]}\n{text}\nPY\n"


@form("bash")
def cat_file(lang, text):
    name = "main" + ENDING[lang]
    return f"mkdir -p work\ncat > work/{name} <<'EOF'\n{text}\nEOF\ncd work && {RUN[lang]} {name}\n"


@form("bash")
def cat_file_behind(lang, text):
    return f"cat << 'EOF' > /tmp/job{ENDING[lang]}\n{text}\nEOF\n{RUN[lang]} /tmp/job{ENDING[lang]} --fast\n"


@form("bash")
def cat_executable(lang, text):
    return f"cat > tool <<'EOF'\n#!/usr/bin/env {RUN[lang]}\n{text}\nEOF\nchmod +x tool\n./tool\n"


@form("bash")
def tee_file(lang, text):
    return f"tee main{ENDING[lang]} >/dev/null <<'EOF'\n{text}\nEOF\n{RUN[lang]} ./main{ENDING[lang]}\n"


@form("bash")
def c_text(lang, text):
    return f"echo start\n{RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}\n"


@form("bash")
def variable_text(lang, text):
    return f"CODE={shlex.quote(text)}\n{RUN[lang]} {TEXT_OPTION[lang]} \"$CODE\"\n"


@form("bash")
def echo_pipe(lang, text):
    return f"printf '%s\\n' {shlex.quote(text)} | {RUN[lang]}\n"


@form("bash")
def base64_pipe(lang, text):
    return f"echo {b64(text)} | base64 -d | {RUN[lang]}\n"


@form("bash")
def base64_file(lang, text):
    return f"echo {b64(text)} | base64 -d > x{ENDING[lang]}\n{RUN[lang]} x{ENDING[lang]}\n"


@form("bash")
def herestring(lang, text):
    return f"{RUN[lang]} <<< {shlex.quote(text)}\n"


@form("bash", "python")
def helper_module(lang, text):
    main = "cat > main.py <<'EOF'\nimport helper\nprint('ok')\nEOF\npython3 main.py\n"
    return f"cat > helper.py <<'EOF'\n{text}\nEOF\n{main}"


@form("bash", "go")
def go_run(lang, text):
    return f"cat > main.go <<'EOF'\n{text}\nEOF\ngo run main.go\n"


@form("bash", "rust")
def rust_run(lang, text):
    return f"cat > main.rs <<'EOF'\n{text}\nEOF\nrustc main.rs -o main && ./main\n"


@form("python")
def py_c_text(lang, text):
    words = f"[{RUN[lang]!r}, {TEXT_OPTION[lang]!r}, {text!r}]"
    return f"import subprocess, sys\nr = subprocess.run({words}, capture_output=True)\nprint(r.stdout)\n"


@form("python")
def py_input(lang, text):
    return f"import subprocess\nCODE = {text!r}\nsubprocess.run([{RUN[lang]!r}], input=CODE, text=True)\n"


@form("python")
def py_file(lang, text):
    return (f"import subprocess\ncode = {text!r}\nwith open('job{ENDING[lang]}', 'w') as f:\n    f.write(code)\n"
            f"subprocess.run([{RUN[lang]!r}, 'job{ENDING[lang]}'], check=True)\n")


@form("python")
def py_path_file(lang, text):
    return (f"from pathlib import Path\nimport os\np = Path('/tmp/job{ENDING[lang]}')\np.write_text({text!r})\n"
            f"os.system(f'{RUN[lang]} {{p}}')\n")


@form("python", "python")
def py_exec(lang, text):
    return f"code = {text!r}\nexec(code)\n"


@form("python", "python")
def py_import(lang, text):
    return f"open('helper.py', 'w').write({text!r})\nimport helper\nhelper.main()\n"


@form("python", "python")
def py_base64(lang, text):
    return f"import base64\nexec(base64.b64decode('{b64(text)}'))\n"


@form("python", "python")
def py_zlib(lang, text):
    z = base64.b64encode(zlib.compress(text.encode())).decode()
    return f"import base64, zlib\nexec(zlib.decompress(base64.b64decode('{z}')).decode())\n"


@form("python", "python")
def py_rot13(lang, text):
    return f"import codecs\nexec(codecs.decode({codecs.encode(text, 'rot13')!r}, 'rot13'))\n"


@form("python", "python")
def py_hex(lang, text):
    return f"exec(bytes.fromhex('{text.encode().hex()}').decode())\n"


@form("python", "bash")
def py_shell(lang, text):
    return f"import subprocess\nsubprocess.run({text!r}, shell=True)\n"


@form("node")
def js_c_text(lang, text):
    return (f"const cp = require('child_process');\nconst out = cp.spawnSync({js(RUN[lang])}, "
            f"[{js(TEXT_OPTION[lang])}, {js(text)}]);\nconsole.log(String(out.stdout));\n")


@form("node")
def js_file(lang, text):
    return (f"const fs = require('fs');\nconst {{ execSync }} = require('child_process');\n"
            f"fs.writeFileSync('job{ENDING[lang]}', {js(text)});\nexecSync('{RUN[lang]} job{ENDING[lang]}');\n")


@form("node", "node")
def js_eval(lang, text):
    return f"const code = {js(text)};\neval(code);\n"


@form("node", "node")
def js_require(lang, text):
    return f"const fs = require('fs');\nfs.writeFileSync('./helper.js', {js(text)});\nrequire('./helper');\n"


@form("node", "node")
def js_base64(lang, text):
    return f"eval(Buffer.from('{b64(text)}', 'base64').toString());\n"


@form("node", "bash")
def js_exec(lang, text):
    return f"require('child_process').execSync({js(text)});\n"


@form("go")
def go_c_text(lang, text):
    return ('package main\n\nimport (\n\t"fmt"\n\t"os/exec"\n)\n\nfunc main() {\n\tcode := ' + js(text) +
            f'\n\tout, err := exec.Command("{RUN[lang]}", "{TEXT_OPTION[lang]}", code).CombinedOutput()\n'
            '\tfmt.Println(string(out), err)\n}\n')


@form("go")
def go_file(lang, text):
    return ('package main\n\nimport (\n\t"os"\n\t"os/exec"\n)\n\nfunc main() {\n\tcode := ' + js(text) +
            f'\n\tif err := os.WriteFile("job{ENDING[lang]}", []byte(code), 0644); err != nil {{'
            '\n\t\tpanic(err)\n\t}\n'
            f'\tif err := exec.Command("{RUN[lang]}", "job{ENDING[lang]}").Run(); err != nil {{'
            '\n\t\tpanic(err)\n\t}\n}\n')


@form("rust")
def rust_c_text(lang, text):
    return ('use std::process::Command;\n\nfn main() {\n    let code = ' + raw(text) + ';\n'
            f'    let out = Command::new("{RUN[lang]}").arg("{TEXT_OPTION[lang]}").arg(code).output().unwrap();\n'
            '    println!("{:?}", out);\n}\n')


@form("rust")
def rust_file(lang, text):
    return ('use std::fs;\nuse std::process::Command;\n\nfn main() {\n'
            f'    fs::write("job{ENDING[lang]}", ' + raw(text) + ').unwrap();\n'
            f'    Command::new("{RUN[lang]}").arg("job{ENDING[lang]}").status().unwrap();\n}}\n')


# how authors nest programs: behind other words, through functions, in files that something else runs


def indented(text, by="    "):
    return "".join(by + line if line.strip() else line for line in text.splitlines(True))


def cells(text):
    return json.dumps({"cells": [{"cell_type": "markdown", "source": ["# work\n"]},
                                 {"cell_type": "code", "source": text.splitlines(True)}], "nbformat": 4}, indent=1)


def call(lang, text):
    command = f"{RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}"
    return json.dumps({"role": "assistant", "tool": "bash", "input": {"command": command, "timeout": 60}})


@form("bash")
def function_heredoc(lang, text):
    option = "-s" if lang == "bash" else "-"
    command = f"{RUN[lang]} {option}"
    return f"run() {{ if [ -n \"$X\" ]; then sudo {command}; else {command}; fi; }}\nrun <<'E'\n{text}\nE\n"


@form("bash")
def function_argument(lang, text):
    return (f"try() {{\n  local code=\"$1\"\n  timeout 60 {RUN[lang]} {TEXT_OPTION[lang]} \"$code\" || true\n}}\n"
            f"try {shlex.quote(text)}\n")


@form("bash")
def function_words(lang, text):
    command = f"{RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}"
    return f"retry() {{ for i in 1 2 3; do \"$@\" && return; done; }}\nretry {command}\n"


@form("bash")
def behind_words(lang, text):
    words = "sudo -n -u root env A=1 timeout 9 nice -n 5"
    return f"{words} {RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}\n"


@form("bash")
def container_heredoc(lang, text):
    option = "-s" if lang == "bash" else "-"
    return f"docker exec -i app {RUN[lang]} {option} <<'CODE'\n{text}\nCODE\n"


@form("bash")
def container_text(lang, text):
    return f"podman run --rm alpine {RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}\n"


@form("bash")
def su_text(lang, text):
    return f"su - app -c {shlex.quote(f'{RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}')}\n"


@form("bash")
def ssh_heredoc(lang, text):
    option = "-s" if lang == "bash" else "-"
    return f"ssh -o BatchMode=yes build1 '{RUN[lang]} {option}' <<'R'\n{text}\nR\n"


@form("bash", "bash")
def ssh_text(lang, text):
    return f"ssh -p 2222 build1 {shlex.quote(text)}\n"


@form("bash")
def xargs_text(lang, text):
    return f"ls | xargs -I% {RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)} %\n"


@form("bash")
def find_text(lang, text):
    return f"find . -name '*.x' -exec {RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)} {{}} \\;\n"


@form("bash")
def variable_heredoc(lang, text):
    return f"CODE=$(cat <<'EOF'\n{text}\nEOF\n)\n{RUN[lang]} {TEXT_OPTION[lang]} \"$CODE\"\n"


@form("bash")
def read_heredoc(lang, text):
    return f"read -r -d '' CODE <<'EOF'\n{text}\nEOF\nprintf '%s' \"$CODE\" | {RUN[lang]}\n"


@form("bash", "bash")
def at_heredoc(lang, text):
    return f"at now + 1 minute <<'EOF'\n{text}\nEOF\n"


@form("bash")
def substitution_heredoc(lang, text):
    return f"{RUN[lang]} {TEXT_OPTION[lang]} \"$(cat <<'EOF'\n{text}\nEOF\n)\"\n"


@form("bash")
def process_substitution(lang, text):
    return f"{RUN[lang]} <(cat <<'EOF'\n{text}\nEOF\n)\n" if lang == "bash" else None


@form("bash")
def lines_file(lang, text):
    words = " \\\n  ".join(shlex.quote(line) for line in text.splitlines())
    return f"f=$(mktemp)\nprintf '%s\\n' \\\n  {words} > \"$f\"\n{RUN[lang]} \"$f\"\nrm -f \"$f\"\n"


@form("bash")
def echo_lines(lang, text):
    lines = "".join(f"echo {shlex.quote(line)} >> job{ENDING[lang]}\n" for line in text.splitlines())
    return f"{lines}{RUN[lang]} job{ENDING[lang]}\n"


@form("bash")
def group_file(lang, text):
    return f"{{\ncat <<'A'\n{text}\nA\necho\n}} > tool{ENDING[lang]}\n{RUN[lang]} ./tool{ENDING[lang]}\n"


@form("bash", "python")
def conftest_file(lang, text):
    return f"cat > tests/conftest.py <<'EOF'\n{text}\nEOF\npytest -q tests\n"


@form("bash", "python")
def setup_file(lang, text):
    setup = "from setuptools import setup\nsetup(name='p')\n"
    return f"mkdir p\ncat > p/setup.py <<'EOF'\n{text}\n{setup}EOF\npip install ./p\n"


@form("bash")
def makefile(lang, text):
    quoted = shlex.quote(text).replace("$", "$$")
    if "\n" in text:
        return None
    return f"cat > Makefile <<'EOF'\nall:\n\t@{RUN[lang]} {TEXT_OPTION[lang]} {quoted}\nEOF\nmake all\n"


@form("bash", "bash")
def makefile_lines(lang, text):
    if "<<" in text or "if " in text or "for " in text or "while " in text or "{" in text:
        return None
    return "cat > Makefile <<'EOF'\nbuild:\n" + "".join(
        f"\t-{line}\n" for line in text.replace("$", "$$").splitlines()) + "EOF\nmake\n"


@form("bash", "bash")
def package_script(lang, text):
    body = json.dumps({"name": "x", "scripts": {"test": "jest", "postinstall": text}}, indent=2)
    return f"cat > package.json <<'EOF'\n{body}\nEOF\nnpm install\n"


@form("bash", "bash")
def git_hook(lang, text):
    return f"cat > .git/hooks/post-checkout <<'EOF'\n{text}\nEOF\nchmod 755 .git/hooks/post-checkout\n"


@form("bash", "bash")
def workflow(lang, text):
    return ("cat > .github/workflows/ci.yml <<'EOF'\non: push\njobs:\n  a:\n    steps:\n      - run: |\n"
            + indented(text, "          ") + "\nEOF\ngit add -A\n")


@form("bash")
def notebook(lang, text):
    if lang == "python":
        body = cells(text)
    elif lang == "bash":
        body = cells("%%bash\n" + text)
    else:
        return None
    return f"cat > a.ipynb <<'EOF'\n{body}\nEOF\njupyter nbconvert --execute a.ipynb\n"


@form("bash", "bash")
def unit(lang, text):
    if "\n" in text.strip() or "'" in text:
        return None
    body = f"[Service]\nExecStart=/bin/sh -c '{text.strip()}'\n"
    return f"cat > /etc/systemd/system/a.service <<'EOF'\n{body}EOF\nsystemctl start a\n"


@form("python")
def py_sudo(lang, text):
    return f"import subprocess\nsubprocess.run(['sudo', '-n', {RUN[lang]!r}, {TEXT_OPTION[lang]!r}, {text!r}])\n"


@form("python")
def py_communicate(lang, text):
    return (f"import subprocess as sp\np = sp.Popen([{RUN[lang]!r}, '-'], stdin=sp.PIPE, text=True)\n"
            f"out, err = p.communicate({text!r})\nprint(out)\n")


@form("python")
def py_stdin(lang, text):
    return (f"import subprocess\nSCRIPT = {text!r}\np = subprocess.Popen({RUN[lang]!r}, stdin=subprocess.PIPE)\n"
            f"p.stdin.write(SCRIPT.encode())\np.stdin.close()\np.wait()\n")


@form("python")
def py_async(lang, text):
    return ("import asyncio\n\nasync def main():\n"
            f"    p = await asyncio.create_subprocess_exec({RUN[lang]!r}, {TEXT_OPTION[lang]!r}, {text!r})\n"
            "    await p.wait()\n\nasyncio.run(main())\n")


@form("python")
def py_execvp(lang, text):
    words = f"[{RUN[lang]!r}, {TEXT_OPTION[lang]!r}, {text!r}]"
    return f"import os\ncmd = {words}\nif os.fork() == 0:\n    os.execvp(cmd[0], cmd)\nos.wait()\n"


@form("python")
def py_split(lang, text):
    command = f"{RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}"
    return f"import shlex, subprocess\nsubprocess.check_call(shlex.split({command!r}))\n"


@form("python")
def py_dedent(lang, text):
    body = indented(text).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return (f'import subprocess, textwrap\nsrc = textwrap.dedent("""\\\n{body}\n""")\n'
            f"open('/tmp/a{ENDING[lang]}', 'w').write(src)\nsubprocess.run([{RUN[lang]!r}, '/tmp/a{ENDING[lang]}'])\n")


@form("python")
def py_lines(lang, text):
    lines = ",\n    ".join(repr(line) for line in text.splitlines())
    return (f"import subprocess, tempfile\nLINES = [\n    {lines},\n]\n"
            f"with tempfile.NamedTemporaryFile('w', suffix='{ENDING[lang]}', delete=False) as f:\n"
            f"    f.write('\\n'.join(LINES))\nsubprocess.run([{RUN[lang]!r}, f.name])\n")


@form("python")
def py_print(lang, text):
    lines = ",\n    ".join(repr(line) for line in text.splitlines())
    return (f"import os\nparts = [\n    {lines},\n]\nwith open('/dev/shm/t{ENDING[lang]}', 'w') as out:\n"
            "    for part in parts:\n        print(part, file=out)\n"
            f"os.system('{RUN[lang]} /dev/shm/t{ENDING[lang]}')\n")


@form("python", "python")
def py_read_back(lang, text):
    return (f"NAME = '/tmp/.t'\nwith open(NAME, 'w') as f:\n    f.write({text!r})\n"
            "exec(compile(open(NAME).read(), NAME, 'exec'))\n")


@form("python", "python")
def py_runpy(lang, text):
    return (f"import os, runpy, tempfile\nfd, name = tempfile.mkstemp(suffix='.py')\nwith os.fdopen(fd, 'w') as f:\n"
            f"    f.write({text!r})\nrunpy.run_path(name, run_name='__main__')\n")


@form("python", "python")
def py_conftest(lang, text):
    return (f"import subprocess\nfrom pathlib import Path\n\nBODY = {text!r}\n\nrepo = Path('.').resolve()\n"
            "(repo / 'conftest.py').write_text(BODY)\nsubprocess.run(['python3', '-m', 'pytest', '-q'], cwd=repo)\n")


@form("python", "python")
def py_template(lang, text):
    whole = text.replace("$", "$$")
    return f"from string import Template\nT = Template({whole!r})\nexec(T.substitute(name='x'))\n"


@form("python")
def py_tool_call(lang, text):
    return ("import json, subprocess\n\nCALL = json.loads(" + repr(call(lang, text)) + ")\n\n\ndef run(call):\n"
            "    return subprocess.run(['bash', '-lc', call['input']['command']], capture_output=True)\n\n\n"
            "print(run(CALL).returncode)\n")


@form("python")
def py_steps(lang, text):
    command = f"{RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}"
    return ("import subprocess\n\nSTEPS = [\n    {'name': 'check', 'cmd': 'git status'},\n"
            f"    {{'name': 'build', 'cmd': {command!r}}},\n]\nfor step in STEPS:\n    print(step['name'])\n"
            "    subprocess.run(step['cmd'], shell=True, check=False)\n")


@form("python", "bash")
def py_makefile(lang, text):
    if "<<" in text or "if " in text or "for " in text or "while " in text or "{" in text:
        return None
    body = "all:\n" + "".join(f"\t{line}\n" for line in text.replace("$", "$$").splitlines())
    return f"import os\nopen('Makefile', 'w').write({body!r})\nos.system('make -s all')\n"


@form("node")
def js_sudo(lang, text):
    return (f"const {{ execFile }} = require('child_process');\nconst steps = {js(text)};\n"
            f"execFile('sudo', ['-n', '{RUN[lang]}', '{TEXT_OPTION[lang]}', steps], (e, out) => console.log(!!e));\n")


@form("node")
def js_lines(lang, text):
    lines = ",\n  ".join(js(line) for line in text.splitlines())
    return (f"const {{ spawn }} = require('node:child_process');\nconst code = [\n  {lines},\n].join('\\n');\n"
            f"spawn('{RUN[lang]}', ['{TEXT_OPTION[lang]}', code], {{ detached: true }}).unref();\n")


@form("node")
def js_hidden_file(lang, text):
    whole = js(f"#!/usr/bin/env {RUN[lang]}\n" + text)
    return ("const fs = require('fs');\nconst cp = require('child_process');\n"
            f"fs.writeFileSync('/tmp/.prep', {whole});\n"
            "fs.chmodSync('/tmp/.prep', 0o700);\ncp.spawn('/tmp/.prep', { stdio: 'ignore' });\n")


@form("node", "node")
def js_vm(lang, text):
    return f"const vm = require('vm');\nnew vm.Script({js(text)}).runInThisContext();\n"


@form("node", "node")
def js_worker(lang, text):
    return f"const {{ Worker }} = require('worker_threads');\nnew Worker({js(text)}, {{ eval: true }});\n"


@form("node", "node")
def js_function(lang, text):
    return f"const make = (async () => {{}}).constructor;\nnew make('require', {js(text)})(require);\n"


@form("node", "node")
def js_parts(lang, text):
    whole = b64(text)
    parts = ",\n  ".join(js(whole[i:i + 40]) for i in range(0, len(whole), 40))
    return f"const parts = [\n  {parts},\n];\nconst s = atob(parts.join(''));\nFunction('require', s)(require);\n"


@form("node")
def js_stdin(lang, text):
    return (f"const {{ spawnSync, execFileSync }} = require('child_process');\n"
            f"spawnSync('{RUN[lang]}', [{js('-s' if lang == 'bash' else '-')}], {{ input: {js(text)} }});\n")


@form("node")
def js_tool_call(lang, text):
    return ("const { execSync } = require('child_process');\nconst call = JSON.parse(" + js(call(lang, text)) +
            ");\nif (call.tool === 'bash') execSync(call.input.command, { stdio: 'inherit' });\n")


@form("node")
def js_steps(lang, text):
    command = f"{RUN[lang]} {TEXT_OPTION[lang]} {shlex.quote(text)}"
    return ("const { execSync } = require('child_process');\nconst steps = [\n  { name: 'check', cmd: 'git status' },\n"
            f"  {{ name: 'build', cmd: {js(command)} }},\n];\nfor (const s of steps) execSync(s.cmd);\n")


@form("go")
def go_sudo(lang, text):
    return ('package main\n\nimport "os/exec"\n\nfunc main() {\n\tcode := ' + js(text) +
            f'\n\texec.Command("sudo", "-n", "{RUN[lang]}", "{TEXT_OPTION[lang]}", code).Run()\n}}\n')


@form("go")
def go_stdin(lang, text):
    option = "-s" if lang == "bash" else "-"
    return ('package main\n\nimport (\n\t"os/exec"\n\t"strings"\n)\n\nfunc main() {\n\tcmd := '
            f'exec.Command("{RUN[lang]}", "{option}")\n\tcmd.Stdin = strings.NewReader(' + js(text) +
            ')\n\tcmd.Run()\n}\n')


@form("go")
def go_raw(lang, text):
    if "`" in text:
        return None
    return ('package main\n\nimport (\n\t"os"\n\t"os/exec"\n\t"path/filepath"\n)\n\nconst job = `' + text +
            f'`\n\nfunc main() {{\n\tp := filepath.Join(os.TempDir(), "job{ENDING[lang]}")\n'
            f'\t_ = os.WriteFile(p, []byte(job), 0o755)\n\t_ = exec.Command("{RUN[lang]}", p).Start()\n}}\n')


@form("rust")
def rust_sudo(lang, text):
    return ('use std::process::Command;\n\nfn main() {\n    let code = ' + raw(text) + ';\n'
            f'    let words = ["-n", "{RUN[lang]}", "{TEXT_OPTION[lang]}", code];\n'
            '    let _ = Command::new("sudo").args(words).status();\n}\n')


@form("rust")
def rust_stdin(lang, text):
    option = "-s" if lang == "bash" else "-"
    return ('use std::io::Write;\nuse std::process::{Command, Stdio};\n\nfn main() {\n'
            f'    let mut child = Command::new("{RUN[lang]}").arg("{option}").stdin(Stdio::piped()).spawn().unwrap();\n'
            '    child.stdin.as_mut().unwrap().write_all(' + raw(text) + '.as_bytes()).unwrap();\n'
            '    child.wait().unwrap();\n}\n')


def scan(program, language, text):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8", errors="surrogateescape") as f:
        f.write(text)
        f.flush()
        done = subprocess.run([program, "--language", language, "--file", f.name, "--rules", ROOT / "rules",
                               "--timeout", "20000"], capture_output=True, check=True)
    return json.loads(done.stdout)


def strongest(report):
    return max([f["risk_increase"] for f in report["findings"]] or [0])


def samples(kind):
    """(language, name, text) of every program in tests/data/scan."""
    for language in ENDING:
        for path in sorted((ROOT / "tests/data/scan" / language / kind).iterdir()):
            yield language, path.name, path.read_text(errors="surrogateescape")


def measure(program, kind, names, workers=2):
    """{form: (count of those that count alone, [(name, alone, inside)] where inside differs)}"""
    rows = {name: [0, []] for name in names}
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        def one(sample):
            language, name, text = sample
            alone = scan(program, language, text)
            for key in names:
                outer, languages, make = FORMS[key]
                whole = make(language, text) if language in languages else None
                if whole is None or (alone["risk_increase"] > 0) != (kind == "risky"):
                    continue
                inside = scan(program, outer, whole)
                empty = scan(program, outer, make(language, "x = 1\n" if language == "python" else "\n"))
                rows[key][0] += 1
                if kind == "risky":
                    # what the form itself costs (it runs a program, say) finds nothing
                    known = {f["rule"] for f in empty["findings"]}
                    new = [f for f in inside["findings"] if f["severity"] != "info" and f["rule"] not in known]
                    is_found = bool(new) and max(f["risk_increase"] for f in new) >= min(strongest(alone), 0.3) - 1e-9
                    if not is_found:
                        rows[key][1].append((f"{language}/{name}", alone, inside))
                elif inside["risk_increase"] > empty["risk_increase"] + 1e-9:
                    rows[key][1].append((f"{language}/{name}", alone, inside))
        list(pool.map(one, samples(kind)))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scan", default=str(ROOT / "build/libexec/sandbox-agent/sandbox-scan"))
    parser.add_argument("--missed", action="store_true", help="name the programs")
    parser.add_argument("forms", nargs="*")
    options = parser.parse_args()
    names = [n for n in FORMS if not options.forms or n in options.forms or n.split(":")[1] in options.forms]
    risky, ordinary = measure(options.scan, "risky", names), measure(options.scan, "ordinary", names)
    sums = [0, 0, 0, 0]
    for name in names:
        (n, missed), (m, raised) = risky[name], ordinary[name]
        print(f"{name:26} found {n - len(missed):4} of {n:4}   raised {len(raised):4} of {m:4}")
        for i, v in enumerate((n - len(missed), n, len(raised), m)):
            sums[i] += v
        for who, alone, inside in (missed + raised) if options.missed else []:
            print(f"    {who}: alone {[(f['rule'], f['risk_increase']) for f in alone['findings']][:4]} "
                  f"inside {[(f['rule'], f['risk_increase']) for f in inside['findings']][:4]}")
    print(f"{'all':26} found {sums[0]:4} of {sums[1]:4}   raised {sums[2]:4} of {sums[3]:4}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

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

#!/usr/bin/env python3
"""What the scan finds, by sets of programs that are known to be risky or honest, and by the form in which they come.

    bench/scan_rates.py [DIR ...]          default: every set below bench/scan
    bench/scan_rates.py --list DIR         which risky programs were not found, which honest ones were raised, and why
    bench/scan_rates.py --json DIR         the same as data
    bench/scan_rates.py --plain DIR        as they are only, without the embedded forms

A set is DIR/risky/*.{py,js,sh,go,rs} and DIR/honest/*, or one of the two, or directories below them, or
DIR/risky-inside and DIR/honest-{algorithms,tasks,system}; a first comment line may say what a program is. A program
counts as found (risky) or raised (honest) when the scan's risk reaches agixt.analysis.threshold as shipped: then an
agent that is just at the threshold of its level loses it. What a program needs is a fact and raises nothing.

Forms, each made from the plain program: «here-document» gives it to an interpreter in a bash program, «-c» as an
argument, «file first» writes it and runs it from bash, «written by python» the same from Python. Go and Rust only as
files that are written first.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCAN = pathlib.Path(os.environ.get("B", ROOT / "build")) / "libexec/sandbox-agent/sandbox-scan"
THRESHOLD = 0.05  # agixt.analysis.threshold
LANGUAGES = {".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".sh": "bash", ".go": "go", ".rs": "rust"}
RUN = {"python": "python3", "node": "node", "bash": "bash"}
START = {"go": "go run %s", "rust": "rustc %s && ./task"}
INLINE = {"python": "-c", "node": "-e", "bash": "-c"}
TRUTHS = {"risky": "risky", "honest": "honest", "wrapped": "risky",  # wrapped: their author wrote them inside others
          "risky-inside": "risky", **{"honest-" + name: "honest" for name in ("algorithms", "tasks", "system")}}
FORMS = ["plain", "here-document", "-c", "file first", "written by python"]
WRITER = """import subprocess
text = %r
with open(%r, 'w') as f:
    f.write(text)
subprocess.run(%r, shell=True, check=True)
"""


def embed(form, language, suffix, text):
    """The program in another form, as (language, text); None where there is none."""
    name = "task" + suffix
    start = START[language] % name if language in START else "%s %s" % (RUN[language], name)
    if form == "plain":
        return language, text
    if form == "here-document" and language in RUN:
        option = "-s" if language == "bash" else "-"
        return "bash", "set -e\n%s %s <<'PROGRAM'\n%s\nPROGRAM\n" % (RUN[language], option, text)
    if form == "-c" and language in INLINE:
        return "bash", "set -e\n%s %s %s\n" % (RUN[language], INLINE[language], shlex.quote(text))
    if form == "file first":
        return "bash", "set -e\ncat > %s <<'PROGRAM'\n%s\nPROGRAM\n%s\n" % (name, text, start)
    if form == "written by python":
        return "python", WRITER % (text, name, start)
    return None


def scan(job):
    language, text, rules = job
    with tempfile.NamedTemporaryFile(prefix="scan-rates-") as file:
        file.write(text)
        file.flush()
        words = [SCAN, "--file", file.name, "--language", language, "--rules", rules]
        done = subprocess.run(words, capture_output=True)
    if done.returncode != 0:
        raise SystemExit("sandbox-scan: %s" % done.stderr.decode(errors="replace"))
    return json.loads(done.stdout)


def programs(folder):
    """(set, what is true of it, path) of every program below a directory."""
    for path in sorted(pathlib.Path(folder).resolve().rglob("*")):
        top = next((p for p in path.parents if p.name in TRUTHS), None)
        if path.suffix in LANGUAGES and top and path.is_file():
            group = top.parent if path.parent == top and top.name in ("risky", "honest") else path.parent
            yield str(group.relative_to(ROOT) if ROOT in group.parents else group), TRUTHS[top.name], path


def measure(folders, forms, rules):
    jobs, kinds = [], []
    for folder in folders:
        for group, truth, path in programs(folder):
            text = path.read_text(errors="surrogateescape")
            language = LANGUAGES[path.suffix]
            for form in forms:
                made = embed(form, language, path.suffix, text)
                if made:
                    jobs.append((made[0], made[1].encode(errors="surrogateescape"), rules))
                    kinds.append({"set": group, "truth": truth, "form": form, "language": language, "path": str(path)})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(scan, jobs))
    for kind, report in zip(kinds, reports):
        kind["risk"] = report["risk_increase"]
        kind["raised"] = report["risk_increase"] >= THRESHOLD
        kind["is_complete"] = report["is_complete"]
        kind["rules"] = sorted({f["rule"] for f in report["findings"] if f["risk_increase"] > 0})
        kind["needs"] = sorted({n["need"] for n in report["needs"]})
    return kinds


def rate(rows):
    if not rows:
        return "-"
    raised = sum(r["raised"] for r in rows)
    return "%d of %d (%.1f %%)" % (raised, len(rows), 100 * raised / len(rows))


def print_list(rows):
    for r in rows:
        if r["raised"] == (r["truth"] == "risky"):
            continue
        why = ", ".join(r["rules"]) or "nothing; needs " + (", ".join(r["needs"]) or "nothing")
        print("%s %s (%s): %s" % ("missed" if r["truth"] == "risky" else "raised", r["path"], r["form"], why))
    print()


def print_table(rows, forms):
    print("| set | language | truth | %s |\n|---|---|---|%s" % (" | ".join(forms), "---|" * len(forms)))
    groups = sorted({(r["set"], r["language"]) for r in rows}) + [("all", "all")]
    for group, language in groups:
        for truth, word in (("risky", "found"), ("honest", "raised")):
            mine = [r for r in rows if r["truth"] == truth and group in ("all", r["set"])]
            mine = [r for r in mine if language in ("all", r["language"])]
            rates = [rate([r for r in mine if r["form"] == form]) for form in forms]
            if mine:
                print("| %s | %s | %s, %s | %s |" % (group, language, truth, word, " | ".join(rates)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=[ROOT / "bench/scan"])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--rules", default=ROOT / "rules")
    o = parser.parse_args()
    forms = FORMS[:1] if o.plain else FORMS
    rows = measure(o.folders, forms, str(o.rules))
    if not rows:
        sys.exit("no programs there: expected DIR/risky/*.py and the like")
    if o.json:
        json.dump(rows, sys.stdout, indent=1)
        return
    if o.list:
        print_list(rows)
    print_table(rows, forms)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Makes rules/resemblance.weights: how much each small piece of a text weighs for «resembles programs that act badly».

    scripts/resemblance.py [DIR ...]            writes the weights; DIR: what else is known to be honest, by files
    scripts/resemblance.py --cross [DIR ...]    writes nothing: leaves each author out, and says what is found and
                                                raised of that author's programs by weights made of the others'
    scripts/resemblance.py --scores FILE ...    --cross, and each program's score as JSON into FILE

It learns from every set of bench/ whose programs may be looked at, and from the scripts of DIR (those whose name's
letters have an even sum; the other half is for measuring, and is printed). Needs numpy and a built sandbox-scan, which
says what the pieces are (src/scan/piece.h), so both read a text alike.

A logistic regression in which no weight is negative: what is added to a program can only raise its score. A piece is a
candidate when risky programs of at least two authors have it, and when it says something by itself: words of every
language's grammar, single letters and short numbers do not, and words that only made-up programs have (example, evil)
are left out. The L1 penalty leaves some hundreds. Everything is deterministic: the same files give the same weights.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCAN = pathlib.Path(os.environ.get("B", ROOT / "build")) / "libexec/sandbox-agent/sandbox-scan"
OUT = ROOT / "rules/resemblance.weights"
sys.path.insert(0, str(ROOT / "bench"))
import scan_rates  # noqa: E402

LANGUAGES = scan_rates.LANGUAGES
SETS = {"first": "bench/scan/blind", "own": "bench/scan/own", "second": "bench/blind2/scan2",
        "third": "bench/blind3/scan3", "fourth": "bench/blind4/scan4", "fifth": "bench/blind5/scan5",
        "sixth": "bench/blind6", "seventh": "bench/blind7", "eighth": "bench/blind8", "devA": "bench/mended8/a",
        "devB": "bench/mended8/b", "samples": "tests/data/scan"}
# "own" and "samples" are by the rules' authors, with variants of what the rules missed: no measure of anything
MEASURED = [s for s in SETS if s not in ("own", "samples")]
CLASSES = ["risky", "wrapped", "algorithm", "task", "system"]

CANDIDATES = 3000  # the most telling ones
SEEN_BY = 2        # authors of risky programs
FORM_WEIGHT = .25  # of a program that we put into another one, beside 1 of the plain one
SEEN_IN = 5        # programs
L1, L2, STEPS = 2e-4, 1e-4, 300
HEAVIEST = .8       # so that no piece raises a program by itself, nor do two or three
HONEST_WEIGHT = .3  # of a file of DIR, beside 1 of a program that an author wrote
MEDIUM, HIGH, DOUBT = 500, 2500, -1500

STOP = set("""for while if elif else fi in do done then let const var def return try except finally catch import from as
with async await fn func function main print println echo printf none null nil true false self this not and or is new
class pass break continue case esac end local export set use mod pub mut type struct package lambda yield raise throw
throws global int str string len range bool void static match some ok err unwrap data text line lines name names value
values key keys item items out res result results ret args argv arg path file files cmd url msg obj tmp buf host port
fp fh the of to on by at be it we""".split())
SAMPLE = {"example", "invalid", "madeup", "fake", "evil", "attacker", "victim", "c2", "test", "com", "net", "org"}
GLUE = "|&><`~$@*/.\\#%!+=:("


def is_weak(token):
    return token in STOP or token in ("<long>", "<num>") or len(token) < 2 or (token.isdigit() and len(token) < 3)


def is_telling(piece):
    first, _, rest = piece.partition(" ")
    second = rest.lstrip(GLUE)
    parts = [p for p in (first.strip(GLUE) if not rest else first, second) if p]
    return not any(p in SAMPLE for p in parts) and not all(is_weak(p) for p in parts)


def klass(path):
    words = path.parts
    for name, of in (("risky", "risky"), ("wrapped", "wrapped"), ("algorithms", "algorithm"), ("system", "system"),
                     ("tasks", "task")):
        if name in words:
            return of
    for name, of in (("algo", "algorithm"), ("sys", "system"), ("task", "task")):
        if path.name.startswith(name):
            return of
    return "system" if path.suffix == ".sh" else "task"


def programs():
    for author, folder in SETS.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in LANGUAGES and path.is_file():
                author = "own" if author == "samples" else author
                yield {"author": author, "class": klass(path), "language": LANGUAGES[path.suffix], "path": str(path)}


def embedded(rows, folder):
    """Each program in the forms of bench/scan_rates.py: how a program comes says nothing of it. Without these, sets in
    which only risky programs come inside others teach that writing a file and running it is risky."""
    for number, r in enumerate(rows):
        text, suffix = pathlib.Path(r["path"]).read_text(errors="surrogateescape"), pathlib.Path(r["path"]).suffix
        for form in scan_rates.FORMS[1:]:
            made = scan_rates.embed(form, r["language"], suffix, text)
            if made:
                path = pathlib.Path(folder) / ("%05d %s" % (number, form))
                path.write_text(made[1], errors="surrogateescape")
                yield {**r, "form": form, "language": made[0], "path": str(path)}


def honest_files(folders):
    """Shell and Python below the folders: by name or first line, each once, neither empty nor endless."""
    seen = set()
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_symlink() or not path.is_file() or not 200 <= path.stat().st_size <= 60000:
                continue
            try:
                data = path.read_bytes()
            except OSError:
                continue
            first = data.split(b"\n", 1)[0]
            language = LANGUAGES.get(path.suffix)
            if first.startswith(b"#!"):
                is_shell = re.search(rb"/(ba|da)?sh\b", first)
                language = "bash" if is_shell else "python" if b"python" in first else language
            if language not in ("bash", "python") or data in seen:
                continue
            seen.add(data)
            half = "held out" if sum(map(ord, path.name)) % 2 else "learned"
            yield {"author": "machine", "class": half, "language": language, "path": str(path)}


def add_pieces(rows):
    """The pieces of each, by the scanner itself."""
    for language in sorted({r["language"] for r in rows}):
        mine = [r for r in rows if r["language"] == language]
        for at in range(0, len(mine), 200):
            words = [str(SCAN), "--pieces", "--language", language, "--rules", str(ROOT / "rules")]
            for r in mine[at:at + 200]:
                words += ["--file", r["path"]]
            text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
            by_path = collections.defaultdict(set)
            for line in text.splitlines():
                if line.startswith("\t"):
                    pieces = by_path[line[1:]]
                else:
                    pieces.add(line)
            for r in mine[at:at + 200]:
                r["pieces"] = {p for p in by_path[r["path"]] if is_telling(p)}
    return rows


def is_risky(row):
    return row["class"] in ("risky", "wrapped")


def candidates(rows):
    """Pieces that risky programs of enough authors have, and have more often; by their G statistic."""
    risky, honest, authors = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    for r in rows:
        if is_risky(r):
            risky.update(r["pieces"])
            for p in r["pieces"]:
                authors[p].add(r["author"])
        else:
            honest.update(r["pieces"])
    all_risky = sum(map(is_risky, rows))
    all_honest = len(rows) - all_risky
    found = []
    for p, a in risky.items():
        b = honest[p]
        if a + b < SEEN_IN or len(authors[p]) < SEEN_BY or (a + .5) / (all_risky + 1) <= (b + .5) / (all_honest + 1):
            continue
        share = (a + b) / len(rows)
        g = a * numpy.log(a / (share * all_risky)) + (b * numpy.log(b / (share * all_honest)) if b else 0)
        found.append((-g, p))
    return [p for _, p in sorted(found)[:CANDIDATES]]


def matrix(rows, pieces):
    index = {p: i for i, p in enumerate(pieces)}
    x = numpy.zeros((len(rows), len(pieces)), numpy.float32)
    for i, r in enumerate(rows):
        x[i, [index[p] for p in r["pieces"] if p in index]] = 1
    return x


def fit(x, y, weight):
    """Accelerated proximal gradient, weights kept from below zero. -> weights, base"""
    weight = (weight / weight.sum()).astype(numpy.float32)
    v = numpy.ones(x.shape[1], numpy.float32)
    for _ in range(12):  # the largest curvature
        v = x.T @ (weight * (x @ v))
        size = numpy.linalg.norm(v)
        v /= size
    curve = size / 4 * 1.2 + L2 + .3
    w = ahead = numpy.zeros(x.shape[1], numpy.float32)
    base = base_ahead = 0.
    t = 1.
    for _ in range(STEPS):
        p = 1 / (1 + numpy.exp(-(x @ ahead + base_ahead)))
        g = (weight * (p - y)).astype(numpy.float32)
        new = numpy.clip(ahead - (x.T @ g + L2 * ahead + L1) / curve, 0, HEAVIEST).astype(numpy.float32)
        new_base = base_ahead - float(g.sum()) / curve
        u = (1 + (1 + 4 * t * t) ** .5) / 2
        ahead, base_ahead = new + (t - 1) / u * (new - w), new_base + (t - 1) / u * (new_base - base)
        w, base, t = new, new_base, u
    return w, base


def learn(rows):
    pieces = candidates(rows)
    weight = numpy.array([HONEST_WEIGHT if r["author"] == "machine" else FORM_WEIGHT if "form" in r else 1.
                          for r in rows])
    w, base = fit(matrix(rows, pieces), numpy.array([is_risky(r) for r in rows], numpy.float32), weight)
    milli = {p: round(1000 * float(v)) for p, v in zip(pieces, w) if round(1000 * float(v)) > 0}
    return milli, round(1000 * base)


def score(row, milli, base):
    return base + sum(milli.get(p, 0) for p in row["pieces"])


def table(rows, scores):
    classes = [c for c in CLASSES + ["learned", "held out"] if any(r["class"] == c for r in rows)]
    print("| from score | " + " | ".join(classes) + " |\n|---|" + "---|" * len(classes))
    for limit in (-500, -250, 0, MEDIUM, 500, 1000, HIGH):
        cells = []
        for c in classes:
            mine = [s for r, s in zip(rows, scores) if r["class"] == c]
            cells.append("%d of %d (%.1f %%)" % (sum(s >= limit for s in mine), len(mine),
                                                 100 * sum(s >= limit for s in mine) / len(mine)))
        print("| %.2f | %s |" % (limit / 1000, " | ".join(cells)))


def cross(rows, file):
    measured, scores = [], []
    for author in MEASURED:
        milli, base = learn([r for r in rows if r["author"] != author and r["class"] != "held out"])
        mine = [r for r in rows if r["author"] == author and "form" not in r]
        print("%s left out: %d weights, base %d" % (author, len(milli), base), file=sys.stderr)
        measured += mine
        scores += [score(r, milli, base) for r in mine]
    table(measured, scores)
    if file:
        named = {r["path"]: s for r, s in zip(measured, scores)}
        pathlib.Path(file).write_text(json.dumps(named))


HEAD = """# How much a piece of a program's text weighs for «resembles programs that act badly», in thousandths: src/scan/resemble.h.
# Made by scripts/resemblance.py of %d risky and %d honest programs by %d authors, and of %d scripts of a Debian machine.
# Not to be edited: rules are for what is known; this is statistics.
base %d
medium %d
high %d
doubt %d
"""


def write(rows):
    learned = [r for r in rows if r["class"] != "held out"]
    milli, base = learn(learned)
    written = [r for r in learned if r["author"] != "machine" and "form" not in r]
    risky = sum(map(is_risky, written))
    machine = sum(r["author"] == "machine" for r in learned)
    text = HEAD % (risky, len(written) - risky, len(SETS) - 1, machine, base, MEDIUM, HIGH, DOUBT)
    text += "".join("%d %s\n" % (v, p) for p, v in sorted(milli.items(), key=lambda e: (-e[1], e[0])))
    OUT.write_text(text)
    print("%s: %d weights" % (OUT.relative_to(ROOT), len(milli)))
    for form in [None, *scan_rates.FORMS[1:]]:
        mine = [r for r in rows if r.get("form") == form]
        print(form or "plain")
        table(mine, [score(r, milli, base) for r in mine])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--cross", action="store_true")
    parser.add_argument("--scores")
    o = parser.parse_args()
    plain = list(programs())
    with tempfile.TemporaryDirectory(prefix="resemblance-") as folder:
        rows = add_pieces(plain + list(embedded(plain, folder)) + list(honest_files(o.folders)))
    if o.cross or o.scores:
        cross(rows, o.scores)
    else:
        write(rows)


if __name__ == "__main__":
    main()

"""Every rule of rules/*.yaml finds what it says it finds, and passes over what it says it passes over."""
import functools
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

import pytest
from helpers import LANGUAGES, LIBEXEC, ROOT, copy_installation, from_yaml

SCAN = LIBEXEC / "sandbox-scan"
RULES = [(path.stem, rule) for path in sorted((ROOT / "rules").glob("*.yaml"))
         for rule in from_yaml(path.read_text()).get("rules", [])]


def scan(language, *codes):
    """The report of each."""
    with tempfile.TemporaryDirectory() as place:
        files = [pathlib.Path(place, str(n)) for n in range(len(codes))]
        for file, code in zip(files, codes):
            file.write_bytes(code if isinstance(code, bytes) else code.encode())
        words = [word for file in files for word in ("--file", file)]
        done = subprocess.run([SCAN, *words, "--language", language, "--rules", ROOT / "rules"], capture_output=True,
                              timeout=300)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(codes)
    return reports


def found(report, rule):
    return [f for f in report["findings"] + report["needs"] if f["rule"] == rule]


def languages(stem, rule):
    return rule.get("languages") or (LANGUAGES if stem == "text" else [stem])


def examples(key):
    return [pytest.param(language, rule["name"], rule[key], id="%s-%s" % (rule["name"], language))
            for stem, rule in RULES for language in languages(stem, rule) if rule.get(key)]


@functools.lru_cache(maxsize=None)
def example_reports(language):
    """Of all rules' examples in one process: it takes ten times as long to start as to look at one."""
    codes = sorted({code for stem, rule in RULES if language in languages(stem, rule)
                    for key in ("matches", "misses") for code in rule.get(key) or []})
    return dict(zip(codes, scan(language, *codes)))


@pytest.mark.parametrize("language, rule, codes", examples("matches"))
def test_a_rule_finds_its_examples(language, rule, codes):
    assert [code for code in codes if not found(example_reports(language)[code], rule)] == []


@pytest.mark.parametrize("language, rule, codes", examples("misses"))
def test_a_rule_passes_over_its_counterexamples(language, rule, codes):
    assert [code for code in codes if found(example_reports(language)[code], rule)] == []


@pytest.mark.parametrize("stem, rule", [pytest.param(stem, rule, id=rule["name"]) for stem, rule in RULES])
def test_a_rule_has_examples_of_both_kinds(stem, rule):
    # a byte that is no UTF-8 cannot stand in YAML; what runs a program differs in each language (test_scan_embedded.c)
    elsewhere = ("scan-invalid-utf8", "scan-unread", "scan-other-language")
    assert rule.get("misses"), "%s: %s has no counterexample" % (stem, rule["name"])
    assert rule.get("matches") or rule["name"] in elsewhere, "%s: %s has no example" % (stem, rule["name"])


LONG = {"python": "def step_%d(values, limit):\n    while len(values) > limit: values.pop()\n"
                  "    return [str(v) for v in values]\n"
                  "def wait_%d(queue):\n    while True:\n        item = queue.take()\n        if not item:\n"
                  "            return\n        print(item)\n",
        "node": "function step%d(items) {\n  while (items.length > 3) items.pop();\n"
                "  return items.map((i) => `${i}`);\n}\n",
        "bash": "step_%d() {\n    while [ \"$#\" -gt 3 ]; do shift; done\n    ls \"$1\" | wc -l\n}\n",
        "go": "func step%d(items []string) int {\n\tfor i := 0; i < 3; i++ {\n\t\tprintln(items[i])\n\t}\n\treturn 3\n"
              "}\n",
        "rust": "fn step%d(items: &[u32]) -> u32 {\n    items.iter().map(|i| i + 1).sum()\n}\n"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_pattern_gives_up_on_a_long_ordinary_program(language):
    """A pattern that runs into its limits raises every program of some length."""
    head = "package main\n\nfunc main() {}\n" if language == "go" else ""
    (report,) = scan(language, head + "".join(LONG[language].replace("%d", str(n)) for n in range(400)))
    assert report["findings"] == [] and report["is_complete"], report


# ---- through the command line ----

HELLO = {"python": "print('hello')\n", "node": "console.log('hello');\n", "bash": "echo hello\n",
         "go": "package main\n\nfunc main() { println(\"hello\") }\n", "rust": "fn main() { println!(\"hello\"); }\n"}
POOL = "x = 'stratum+tcp://pool.example.org:4444'\n"


def command(box, *words, **keywords):
    done = box.agent("scan", *words, "--json", **keywords)
    assert done.code in (0, 1), done
    return done, json.loads(done.out)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_ordinary_program_has_no_finding(box, language):
    done, report = command(box, box.code(HELLO[language], language), "--language", language)
    assert done.code == 0 and report["findings"] == [] and report["is_complete"] and report["has_syntax"], report


def test_a_finding_is_shown_with_its_place_and_a_caret(box):
    code = box.code("# hello\n" + POOL)
    done = box.agent("scan", code, "--language", "python")
    assert done.code == 1 and done.err == b"", done
    lines = done.text.splitlines()
    (at,) = [n for n, line in enumerate(lines) if "text-mining-pool" in line]
    assert " finding" in lines[0] and lines[at].startswith("2:6 "), lines
    assert lines[at + 2].index("^") == lines[at + 1].index("stratum"), lines
    assert "\033" not in done.text


@pytest.mark.parametrize("suffix, head, language", [(".py", "", "python"), (".mjs", "", "node"), (".sh", "", "bash"),
                                                    (".go", "", "go"),
                                                    (".rs", "", "rust"), ("", "#!/usr/bin/env python3\n", "python"),
                                                    ("", "#!/bin/sh\n", "bash"), ("", "#!/usr/bin/node\n", "node")])
def test_the_language_follows_from_the_suffix_or_the_first_line(box, suffix, head, language):
    file = box.dir / ("program" + suffix)
    file.write_text(head + "\n")
    done, report = command(box, file)
    assert report["language"] == language


def test_a_file_of_an_unknown_language_is_an_error_that_says_what_to_do(box):
    file = box.dir / "program"
    file.write_text("hello\n")
    done = box.agent("scan", file)
    assert done.code == 2 and b"--language" in done.err, done
    assert box.agent("scan").code == 2
    assert box.agent("scan", box.dir / "absent.py").code == 2
    assert box.agent("scan", file, "--language", "perl").code == 2
    assert box.agent("scan", file, "--nonsense").code == 2


def test_patterns_of_the_configuration_are_found_and_wrong_ones_are_told(box):
    config = box.dir / "patterns.yaml"
    code = box.code("x = 'hunter2'\n")
    config.write_text("agixt:\n  analysis:\n    patterns:\n"
                      "      - {name: hunter, regex: 'hunter\\d', risk_increase: 0.4}\n")
    done, report = command(box, code, "--language", "python", "--config", config)
    assert [(f["rule"], f["risk_increase"], f["line"], f["column"])
            for f in report["findings"]] == [("hunter", 0.4, 1, 6)]
    config.write_text("agixt:\n  analysis:\n    patterns:\n      - {name: broken, regex: '(', risk_increase: 0.4}\n")
    done = box.agent("scan", code, "--language", "python", "--config", config)
    assert done.code == 2 and b"broken" in done.err, done


# ---- what is kept ----

def kept(box):
    return sorted(path for path in box.dir.rglob("scan/*") if path.is_file())


def test_a_second_scan_does_not_start_the_worker_and_any_change_does(box, tmp_path):
    place = copy_installation(tmp_path / "copy")
    tmp_path.chmod(0o755)
    agent = place / "bin/sandbox-agent"
    program = place / "libexec/sandbox-agent/sandbox-scan"
    code = box.code(POOL)
    first = command(box, code, "--language", "python", agent=agent)[1]
    assert first["findings"] and len(kept(box)) == 1
    real = program.read_bytes()
    times = program.stat()

    def breaks():
        """Same size, same time, no program: who starts it fails."""
        program.write_bytes(b"\0" * len(real))
        os.utime(program, ns=(times.st_atime_ns, times.st_mtime_ns))
    breaks()
    assert command(box, code, "--language", "python", agent=agent)[1] == first
    code.write_text(POOL + "\n")  # other code
    assert box.agent("scan", code, "--language", "python", agent=agent).code == 125
    code.write_text(POOL)
    rules = place / "share/sandbox-agent/rules/text.yaml"
    rules.write_text(rules.read_text() + "\n")  # other rules
    assert box.agent("scan", code, "--language", "python", agent=agent).code == 125
    program.write_bytes(real)  # another program
    assert command(box, code, "--language", "python", agent=agent)[1]["findings"]


def test_a_kept_report_that_was_touched_is_not_believed(box):
    code = box.code(POOL)
    first = command(box, code, "--language", "python")[1]
    (file,) = kept(box)
    good = file.read_bytes()
    for n in range(0, len(good), 7):
        file.write_bytes(good[:n] + bytes([good[n] ^ 1]) + good[n + 1:])
        now = command(box, code, "--language", "python")[1]
        assert [f["rule"] for f in now["findings"]] == [f["rule"] for f in first["findings"]] or n > len(good) - 900, n
    file.write_bytes(good[:-1])
    assert command(box, code, "--language", "python")[1]["findings"] == first["findings"]


# ---- hostile texts ----

HOSTILE = {
    "one_line_of_a_megabyte": b"a = 1; " * (1 << 17) + b"(" * 100,
    "one_word_of_two_megabytes": b"a" * (2 << 20),
    "parentheses": b"(" * 100000, "brackets": b"[" * 100000, "braces": b"{" * 100000,
    "closed_parentheses": b"(" * 100000 + b")" * 100000, "substitutions": b"x=$(" * 100000,
    "not_utf8": b"\xff\xfe\x80" * 300000, "nul": b"a\0b = 1\n" * 100000, "random": random.Random(1).randbytes(1 << 20),
}
# what a terminal obeys, or shows otherwise than it is
DANGEROUS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]")
HARMLESS = {"one_line_of_a_megabyte"}  # long lines alone are no finding where there is time enough to read them


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_ends_in_time_and_is_a_finding(box, language, name):
    code = box.dir / "hostile"
    code.write_bytes(HOSTILE[name])
    begun = time.monotonic()
    done, report = command(box, code, "--language", language, "--no-cache")
    took = time.monotonic() - begun
    assert took < 20, took  # 2 s for the scan; the rest is for a busy machine
    assert done.code == 1 or name in HARMLESS, report
    assert report["is_complete"] or "scan-incomplete" in [f["rule"] for f in report["findings"]]
    for finding in report["findings"]:
        assert len(finding["text"].encode()) <= 160 and not DANGEROUS.search(finding["text"]), finding


def test_a_scanner_that_dies_is_a_finding(box, tmp_path):
    place = copy_installation(tmp_path / "copy")
    tmp_path.chmod(0o755)
    program = place / "libexec/sandbox-agent/sandbox-scan"
    code = box.code("print(1)\n")
    for script in ("#!/bin/sh\nexit 0\n", "#!/bin/sh\nkill -9 $$\n", "#!/bin/sh\nhead -c 100000 /dev/zero >&5\n",
                   "#!/bin/sh\nexec sleep 30\n"):
        program.write_text(script)
        begun = time.monotonic()
        done, report = command(box, code, "--language", "python", agent=place / "bin/sandbox-agent")
        assert done.code == 1 and [f["rule"]
                                   for f in report["findings"]] == ["scan-incomplete"] and not report[
                                       "is_complete"], report
        assert time.monotonic() - begun < 25
    assert kept(box) == []  # an incomplete report is not kept
    program.unlink()
    done = box.agent("scan", code, "--language", "python", agent=place / "bin/sandbox-agent")
    assert done.code == 125 and b"make install" in done.err, done


def test_invalid_utf8_is_a_finding(box):
    code = box.dir / "code"
    code.write_bytes(b"x = 1 # \xe9\n")
    done, report = command(box, code, "--language", "python")
    assert [(f["rule"], f["line"], f["column"], f["text"])
            for f in report["findings"]] == [("scan-invalid-utf8", 1, 9, "x = 1 # ?")]


def test_what_a_program_resembles_is_said_with_its_pieces_and_can_be_switched_off(box):
    # the words of a door, in a text of another tool
    door = ("import ansible_runner\nT='''authorized_keys ssh-rsa root ALL=(ALL) NOPASSWD:ALL id_rsa 203.0.113.9:4444\n"
            "auditd wtmp history -c curl -s http://203.0.113.9/x base64 -d'''\nansible_runner.run(playbook=T)\n")
    client = "import socket\nsocket.create_connection(('192.0.2.1', 80))\n"

    def risk(code):
        _, report = command(box, box.code(code, "python"), "--language", "python")
        return report["risk_increase"], [f for f in report["findings"] if f["family"] == "resemblance"]

    with_it, [finding] = risk(door)
    assert finding["rule"] == "scan-resemblance" and finding["severity"] in ("medium", "high"), finding
    assert "«curl -s»" in finding["message"] or finding["message"].count("«") == 5, finding
    assert risk(client) == (0, []), "an address alone raises nothing"
    box.user_config({"agixt": {"analysis": {"resemblance": False}}})
    without, none = risk(door)
    assert none == [] and round(with_it - without, 3) in (finding["risk_increase"], 0)
    if with_it < 1:
        assert with_it > without


def test_a_scanner_says_which_grammars_it_has_and_make_says_which_it_has_not(tmp_path):
    done = subprocess.run([SCAN, "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.splitlines()[1:] == [
        "%s: grammar and patterns" % name for name in ("python", "node", "bash", "go", "rust")], done.stdout
    made = subprocess.run(["make", "-s", "-C", ROOT, "B=%s" % tmp_path, "GRAMMARS=python bash go",
                           tmp_path / ".grammars"], capture_output=True, text=True)
    assert made.returncode == 0 and "no grammar for javascript rust" in made.stderr, made.stderr
    whole = subprocess.run(["make", "-s", "-C", ROOT, "B=%s" % tmp_path,
                            "GRAMMARS=python javascript bash go rust", tmp_path / ".grammars"], capture_output=True,
                           text=True)
    assert whole.returncode == 0 and "no grammar" not in whole.stderr, whole.stderr

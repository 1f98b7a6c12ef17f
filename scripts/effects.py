#!/usr/bin/python3
"""effects.py DIR FILE: what known functions do, from DIR/LANGUAGE.effects to a table for src/scan/effect.c.

A line is «effect: names» or «effect -> type of what it gives: names», a blank at its beginning continues the one
before, # begins a comment. a.{b,c} is two names, «*» at the end stands for anything, and «a...» for a itself, its
members and those of its result. A name may have several effects, but one type. rules/README.md lists the effects.
"""
import pathlib
import re
import sys

LANGUAGES = ["python", "node", "bash", "go", "rust"]
MOST = 6  # effects of one name: EFFECTS_MAX of effect.h


def fail(path, number, what):
    sys.exit("%s:%d: %s" % (path, number, what))


def lines(path):
    """(number, text) of each line with its continuations."""
    found = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text[:1].isspace() and text.strip() and found:
            found[-1][1] += text
        elif text.strip() and not text.startswith("#"):
            found.append([number, text])
    return found


def spread(word):
    """The names that a word with braces stands for."""
    match = re.search(r"\{([^{}]*)\}", word)
    if not match:
        return [word]
    before, after = word[:match.start()], word[match.end():]
    return [name for part in match.group(1).split(",") for name in spread(before + part + after)]


def read(path):
    """{name: ([effect ...], type or None)}"""
    known = {}
    for number, text in lines(path):
        match = re.fullmatch(r"([a-z0-9-]+)(?: -> (\S+))?:\s+(.*)", text)
        if not match:
            fail(path, number, "not «effect: names» or «effect -> type: names»")
        effect, gives, words = match.groups()
        for name in (name for word in words.split() for name in spread(word)):
            for one in [name[:-3], name[:-3] + ".*", name[:-3] + "(*"] if name.endswith("...") else [name]:
                effects, before = known.get(one, ([], gives))
                if effect in effects or (gives and before not in (None, gives)) or len(effects) == MOST:
                    fail(path, number, "%s: twice, of two types, or more than %d effects" % (one, MOST))
                known[one] = effects + [effect], before or gives
    return known


def rows(known, is_prefix):
    for name in sorted((n for n in known if n.endswith("*") == is_prefix), key=lambda n: n.rstrip("*").encode()):
        effects, gives = known[name]
        yield '    { "%s", { %s }, %s },' % (name.rstrip("*"), ", ".join(
            "EF_" + e.upper().replace("-", "_") for e in effects), '"%s"' % gives if gives else "NULL")


def main():
    folder, out = pathlib.Path(sys.argv[1]), []
    for language in LANGUAGES:
        known = read(folder / (language + ".effects"))
        for kind, is_prefix in (("exact", False), ("prefix", True)):
            some = list(rows(known, is_prefix))
            out += ["static const struct known %s_%s[] = {" % (language, kind), *some, "    { 0 },", "};"]
    pathlib.Path(sys.argv[2]).write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

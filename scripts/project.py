#!/usr/bin/python3
"""project.py [--check] - writes the addresses of PROJECT into the files that have to hold them themselves: the metadata
of the Python packages, and SECURITY.md. With --check it writes nothing, names what differs and fails.
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
SDK, SAFEEXECUTE = "sdk/python/pyproject.toml", "integrations/agixt/safeexecute/pyproject.toml"
# file, what stands before the address, the setting, what is added to it
PLACES = [
    (SDK, 'Homepage = "', "REPOSITORY", ""),
    (SDK, 'Documentation = "', "REPOSITORY", "/tree/main/sdk/python"),
    (SDK, 'Source = "', "REPOSITORY", ""),
    (SDK, 'Issues = "', "REPOSITORY", "/issues"),
    (SAFEEXECUTE, 'Homepage = "', "REPOSITORY", ""),
    (SAFEEXECUTE, 'Source = "', "REPOSITORY", "/tree/main/integrations/agixt/safeexecute"),
    ("SECURITY.md", "Report it privately at <", "SECURITY", ""),
]


def settings(text):
    return dict(re.findall(r'^([A-Z]+)="([^"\n]+)"$', text, re.M))


def written(text, before, address):
    """-> the text with the address behind `before`, up to what ends it"""
    new, count = re.subn("(?m)^%s[^\">\n]*" % re.escape(before), lambda m: before + address, text)
    if count != 1:
        raise SystemExit("project.py: «%s» stands %d times" % (before, count))
    return new


def main(top=TOP, check=False):
    values, different = settings((top / "PROJECT").read_text()), []
    for name in dict.fromkeys(place[0] for place in PLACES):
        text = old = (top / name).read_text()
        for _, before, key, tail in (place for place in PLACES if place[0] == name):
            text = written(text, before, values[key] + tail)
        if text != old:
            different.append(name)
            if not check:
                (top / name).write_text(text)
    for name in different:
        print("%s: %s" % (name, "is not as PROJECT has it: run scripts/project.py" if check else "written"))
    return 1 if check and different else 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))

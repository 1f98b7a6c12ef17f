#!/usr/bin/python3
"""documents.py CHECKOUT TARGET - the project's documents as the package has them, in the layout of the checkout so that
their links work.

A link to what no package has (sources, tests) becomes its text; a link to what the package has elsewhere (sdk,
integrations) goes there by a symbolic link. The package's check.sh calls `documents.py --check TARGET`, which names
every link that leads nowhere.
"""
import os
import pathlib
import re
import sys

NAMES = ("README.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md",
         "docs/openapi.yaml", "deploy/README.md",
         "bench/README.md", "tests/README.md", "examples/*", "deploy/prometheus/*", "deploy/grafana/*",
         "deploy/logs/**/*",
         "deploy/observability/**/*")
ELSEWHERE = ("sdk", "integrations")  # what `make install` laid into share/sandbox-agent
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def is_outside(link):
    return "://" in link or link.startswith(("#", "mailto:"))


def leads_somewhere(document, link):
    return is_outside(link) or (document.parent / link.split("#")[0]).exists()


def copy(top, target):
    found = sorted(p for name in NAMES for p in top.glob(name) if p.is_file())
    for path in found:
        place = target / path.relative_to(top)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
        place.chmod(0o644)
    for name in ELSEWHERE:
        if (target.parents[1] / "sandbox-agent" / name).is_dir():
            (target / name).symlink_to("../../sandbox-agent/" + name)
    for path in target.rglob("*.md"):
        path.write_text(LINK.sub(lambda m: m.group(0) if leads_somewhere(path, m.group(2)) else m.group(1),
                                 path.read_text()))


def broken(target):
    for path in sorted(target.rglob("*.md")):
        for text, link in LINK.findall(path.read_text()):
            if not leads_somewhere(path, link):
                yield "%s: %s" % (path.relative_to(target), link)


def main():
    if sys.argv[1] == "--check":
        found = list(broken(pathlib.Path(sys.argv[2])))
        print("\n".join(found))
        return 1 if found else 0
    os.umask(0o022)
    copy(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

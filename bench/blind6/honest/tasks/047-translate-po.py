import re
from pathlib import Path

for f in sorted(Path("locale").rglob("*.po")):
    entries = re.findall(r'msgid "(.*)"\nmsgstr "(.*)"', f.read_text(encoding="utf-8"))
    total = [e for e in entries if e[0]]
    todo = [e for e in total if not e[1]]
    print(f"{f.parent.parent.name:6} {len(total) - len(todo)}/{len(total)}")
    for m, _ in todo[:3]:
        print("    ", m)

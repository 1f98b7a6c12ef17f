import re
import sys
from pathlib import Path

ENTRY = re.compile(r'msgid "(.*)"\nmsgstr "(.*)"')


def load(p):
    text = re.sub(r'"\n"', "", p.read_text(encoding="utf-8"))
    return dict(ENTRY.findall(text))


worst = 0
for po in sorted(Path("locale").glob("*/LC_MESSAGES/*.po")):
    e = {k: v for k, v in load(po).items() if k}
    missing = [k for k, v in e.items() if not v]
    fmt = [k for k, v in e.items() if v and sorted(re.findall(r"%\(\w+\)s|{\w*}", k)) != sorted(re.findall(r"%\(\w+\)s|{\w*}", v))]
    lang = po.parts[1]
    print(f"{lang:6} {len(e) - len(missing)}/{len(e)} translated, {len(fmt)} format errors")
    for k in fmt:
        print("   !", k)
    worst = max(worst, len(fmt))
sys.exit(worst > 0)

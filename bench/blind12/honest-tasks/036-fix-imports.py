import re
from pathlib import Path

OLD = re.compile(r"^from utils import (.+)$", re.M)
n = 0
for p in Path("src").rglob("*.py"):
    t = p.read_text()
    new, k = OLD.subn(r"from app.utils import \1", t)
    if k:
        p.write_text(new)
        n += k
print(n, "changed")

from pathlib import Path

HEAD = "# SPDX-License-Identifier: MIT\n# Copyright 2025 The Project Authors\n"
n = 0
for p in Path("src").rglob("*.py"):
    t = p.read_text()
    if "SPDX-License-Identifier" in t[:300]:
        continue
    if t.startswith("#!"):
        first, _, rest = t.partition("\n")
        t = first + "\n" + HEAD + rest
    else:
        t = HEAD + t
    p.write_text(t)
    n += 1
print(n, "files changed")

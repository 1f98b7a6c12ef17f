import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

index = defaultdict(set)
for pdf in Path(sys.argv[1]).glob("**/*.pdf"):
    r = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True)
    if r.returncode:
        print("skip", pdf, r.stderr.strip(), file=sys.stderr)
        continue
    pdf.with_suffix(".txt").write_text(r.stdout)
    for w in set(re.findall(r"[a-zäöü]{4,}", r.stdout.lower())):
        index[w].add(pdf.name)
Path("index.json").write_text(json.dumps({k: sorted(v) for k, v in sorted(index.items())}, ensure_ascii=False))
print(len(index), "words")

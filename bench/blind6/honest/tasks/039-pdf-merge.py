import sys
from pathlib import Path
from pypdf import PdfWriter, PdfReader

out = Path(sys.argv[1])
w = PdfWriter()
for name in sorted(sys.argv[2:]):
    r = PdfReader(name)
    start = len(w.pages)
    for p in r.pages:
        w.add_page(p)
    w.add_outline_item(Path(name).stem, start)
with out.open("wb") as f:
    w.write(f)
print(out, len(w.pages), "pages")

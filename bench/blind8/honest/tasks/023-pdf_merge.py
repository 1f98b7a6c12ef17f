import argparse
from pathlib import Path
from pypdf import PdfReader, PdfWriter

p = argparse.ArgumentParser(description="Merge PDF files.")
p.add_argument("files", nargs="+", type=Path)
p.add_argument("-o", "--output", type=Path, default=Path("merged.pdf"))
a = p.parse_args()

w = PdfWriter()
for f in a.files:
    r = PdfReader(f)
    if r.is_encrypted:
        p.error(f"{f} is encrypted; give a decrypted copy")
    start = len(w.pages)
    for page in r.pages:
        w.add_page(page)
    w.add_outline_item(f.stem, start)
with a.output.open("wb") as fh:
    w.write(fh)
print(f"{len(w.pages)} pages -> {a.output}")

# pulls the text and the tables out of PDF files
import sys
from pathlib import Path
import pdfplumber

for name in sys.argv[1:]:
    out = Path(name).with_suffix(".txt")
    with pdfplumber.open(name) as pdf, out.open("w") as fh:
        for i, page in enumerate(pdf.pages, 1):
            fh.write(f"--- page {i}\n{page.extract_text() or ''}\n")
            for table in page.extract_tables():
                fh.writelines("\t".join(c or "" for c in r) + "\n" for r in table)
    print(out)

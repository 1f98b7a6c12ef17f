# class: data work; style: pypdf
from pathlib import Path
from pypdf import PdfReader

for path in Path("papers").glob("*.pdf"):
    reader = PdfReader(path)
    text = "\n".join(page.extract_text() or "" for page in reader.pages)
    path.with_suffix(".txt").write_text(text)
    print(path.name, len(reader.pages), len(text))

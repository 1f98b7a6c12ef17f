# class: data work, text of PDFs with a program; style: script
import subprocess, pathlib, re, csv
rows = []
for pdf in sorted(pathlib.Path("invoices").glob("*.pdf")):
    text = subprocess.check_output(["pdftotext", "-layout", str(pdf), "-"], text=True)
    m = re.search(r"Total\s+EUR\s+([\d.,]+)", text)
    rows.append((pdf.name, m[1] if m else ""))
with open("totals.csv", "w", newline="") as f:
    csv.writer(f).writerows(rows)
print(len(rows), "invoices")

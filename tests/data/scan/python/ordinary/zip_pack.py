import zipfile
from pathlib import Path
with zipfile.ZipFile("reports.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for p in sorted(Path("reports").glob("*.txt")):
        z.write(p, p.name)
with zipfile.ZipFile("reports.zip") as z:
    print(z.namelist())

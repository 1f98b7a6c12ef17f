"""Execute the monthly notebook once per region and export HTML."""
import sys
from pathlib import Path

import papermill as pm
from nbconvert import HTMLExporter

REGIONS = ["north", "south", "west"]
out = Path("out")
out.mkdir(exist_ok=True)
failed = []

for region in REGIONS:
    nb = out / f"monthly-{region}.ipynb"
    try:
        pm.execute_notebook("monthly.ipynb", str(nb), parameters={"region": region, "month": sys.argv[1]})
    except pm.PapermillExecutionError as e:
        failed.append((region, e.evalue))
        continue
    html, _ = HTMLExporter(exclude_input=True).from_filename(str(nb))
    nb.with_suffix(".html").write_text(html)

for r, why in failed:
    print("failed", r, why, file=sys.stderr)
sys.exit(bool(failed))

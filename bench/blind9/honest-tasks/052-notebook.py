"""Execute the weekly notebooks, one output per region, and export to HTML."""
import subprocess
import sys
from datetime import date
from pathlib import Path

import papermill as pm
from papermill.exceptions import PapermillExecutionError

REGIONS = ["north", "south", "west"]
OUT = Path("out") / f"{date.today():%G-W%V}"
OUT.mkdir(parents=True, exist_ok=True)

failed = []
for region in REGIONS:
    target = OUT / f"{region}.ipynb"
    try:
        pm.execute_notebook("notebooks/weekly.ipynb", str(target),
                            parameters={"region": region, "rows": 50_000}, kernel_name="python3", progress_bar=False)
    except PapermillExecutionError as e:
        failed.append(region)
        print(region, "failed in cell", e.exec_count, e.ename, file=sys.stderr)
        continue
    subprocess.run([sys.executable, "-m", "jupyter", "nbconvert", "--to", "html", "--no-input", str(target)], check=True)

print("done:", len(REGIONS) - len(failed), "failed:", failed or "none")
sys.exit(bool(failed))

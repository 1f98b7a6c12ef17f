from datetime import date, timedelta
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

REPORTS = Path("reports")
OUT = Path("out") / date.today().isoformat()
OUT.mkdir(parents=True, exist_ok=True)


def set_params(nb, **params):
    code = "\n".join(f"{k} = {v!r}" for k, v in params.items())
    for i, c in enumerate(nb.cells):
        if "parameters" in c.metadata.get("tags", []):
            nb.cells.insert(i + 1, nbformat.v4.new_code_cell(code))
            return


for f in sorted(REPORTS.glob("*.ipynb")):
    nb = nbformat.read(f, as_version=4)
    set_params(nb, day=str(date.today() - timedelta(days=1)))
    ExecutePreprocessor(timeout=900).preprocess(nb, {"metadata": {"path": str(REPORTS)}})
    html, _ = HTMLExporter(exclude_input=True).from_notebook_node(nb)
    (OUT / f"{f.stem}.html").write_text(html, encoding="utf-8")
    print("rendered", f.name)

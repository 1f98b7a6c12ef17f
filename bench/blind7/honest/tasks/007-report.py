import base64
import io
import json
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from jinja2 import Template

PAGE = Template("""<!doctype html><meta charset=utf-8><title>{{ title }}</title>
<h1>{{ title }}</h1>
<img src="data:image/png;base64,{{ chart }}">
<table>{% for k, v in rows %}<tr><td>{{ k }}</td><td>{{ "%.2f"|format(v) }}</td></tr>{% endfor %}</table>
""")


def chart(rows):
    fig, ax = plt.subplots(figsize=(8, 3))
    ax.bar([k for k, _ in rows], [v for _, v in rows])
    buf = io.BytesIO()
    fig.savefig(buf, format="png", bbox_inches="tight")
    return base64.b64encode(buf.getvalue()).decode()


rows = sorted(json.loads(Path("metrics.json").read_text()).items())
Path("report.html").write_text(PAGE.render(title="Weekly metrics", rows=rows, chart=chart(rows)))

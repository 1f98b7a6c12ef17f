from datetime import date
from jinja2 import Template

rows = [("api", 99.95), ("web", 99.99)]
html = Template("""<h1>Uptime {{ day }}</h1>
<ul>{% for n, v in rows %}<li>{{ n }}: {{ v }}%</li>{% endfor %}</ul>""").render(day=date.today(), rows=rows)
open("report.html", "w", encoding="utf-8").write(html)

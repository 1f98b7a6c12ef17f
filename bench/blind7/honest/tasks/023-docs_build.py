import os
import shutil
import tempfile
from pathlib import Path

import markdown
import yaml

SRC, OUT = Path("docs"), Path("site")
TPL = Path("theme/page.html").read_text()


def front(text):
    if text.startswith("---\n"):
        head, body = text[4:].split("\n---\n", 1)
        return yaml.safe_load(head) or {}, body
    return {}, text


tmp = Path(tempfile.mkdtemp())
pages = []
for p in sorted(SRC.rglob("*.md")):
    meta, body = front(p.read_text(encoding="utf-8"))
    rel = p.relative_to(SRC).with_suffix(".html")
    pages.append((meta.get("order", 99), meta.get("title", p.stem), rel, body))
nav = "".join(f'<li><a href="/{r.as_posix()}">{t}</a></li>' for _, t, r, _ in sorted(pages, key=lambda x: x[:2]))
for _, title, rel, body in pages:
    f = tmp / rel
    f.parent.mkdir(parents=True, exist_ok=True)
    html = markdown.markdown(body, extensions=["fenced_code", "tables", "toc"])
    f.write_text(TPL.replace("{{title}}", title).replace("{{nav}}", nav).replace("{{body}}", html))
if OUT.exists():
    shutil.rmtree(OUT)
shutil.move(os.fspath(tmp), OUT)
print(len(pages), "pages")

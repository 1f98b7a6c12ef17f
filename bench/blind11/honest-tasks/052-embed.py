import os
import sqlite3
from pathlib import Path

import numpy as np
import requests

URL = os.environ.get("EMBED_URL", "http://127.0.0.1:11434/api/embed")


def embed(texts):
    r = requests.post(URL, json={"model": "nomic-embed-text", "input": texts}, timeout=120)
    r.raise_for_status()
    return np.array(r.json()["embeddings"], dtype="float32")


def chunks(text, n=1200, overlap=200):
    for i in range(0, max(len(text) - overlap, 1), n - overlap):
        yield text[i:i + n]


db = sqlite3.connect("index.db")
db.execute("create table if not exists chunk(path text, body text, vec blob)")
for p in Path("docs").rglob("*.md"):
    parts = list(chunks(p.read_text(encoding="utf-8")))
    with db:
        db.execute("delete from chunk where path = ?", (str(p),))
        db.executemany("insert into chunk values (?,?,?)", [(str(p), b, v.tobytes()) for b, v in zip(parts, embed(parts))])
    print(p, len(parts))

import feedparser, json, pathlib
SEEN = pathlib.Path("~/.cache/feeds.json").expanduser(); SEEN.parent.mkdir(parents=True, exist_ok=True)
seen = set(json.loads(SEEN.read_text())) if SEEN.exists() else set()
for e in feedparser.parse("https://planetpython.org/rss20.xml").entries:
    if e.id not in seen: print(e.title, e.link); seen.add(e.id)
SEEN.write_text(json.dumps(sorted(seen)))

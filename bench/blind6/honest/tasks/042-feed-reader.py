import json
import urllib.request
import xml.etree.ElementTree as ET
from pathlib import Path

STATE = Path("feed_seen.json")
seen = set(json.loads(STATE.read_text())) if STATE.exists() else set()
req = urllib.request.Request("https://blog.example.org/feed.xml", headers={"User-Agent": "reader/0.1"})
with urllib.request.urlopen(req, timeout=20) as r:
    root = ET.parse(r).getroot()
for item in root.iter("item"):
    guid = item.findtext("guid") or item.findtext("link")
    if guid not in seen:
        print(item.findtext("pubDate"), item.findtext("title"))
        seen.add(guid)
STATE.write_text(json.dumps(sorted(seen)))

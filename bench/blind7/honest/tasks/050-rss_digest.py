import html
import re
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from urllib.request import Request, urlopen

FEEDS = ["https://hnrss.org/frontpage", "https://www.python.org/blogs/feed.xml", "https://blog.rust-lang.org/feed.xml"]


def read(u):
    try:
        root = ET.fromstring(urlopen(Request(u, headers={"User-Agent": "digest/1"}), timeout=15).read())
    except Exception as e:
        return u, [("error: " + str(e), u)]
    out = []
    for it in root.iter():
        if it.tag.rsplit("}", 1)[-1] in ("item", "entry"):
            g = {c.tag.rsplit("}", 1)[-1]: c for c in it}
            link = g["link"].get("href") or (g["link"].text or "").strip()
            out.append((html.unescape(re.sub("<.*?>", "", g["title"].text or "")), link))
    return u, out[:8]


with ThreadPoolExecutor() as ex, open("digest.md", "w") as f:
    for u, items in ex.map(read, FEEDS):
        f.write(f"\n## {u}\n")
        f.writelines(f"- [{t}]({l})\n" for t, l in items)

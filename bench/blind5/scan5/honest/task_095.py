import requests, bs4, urllib.parse, urllib.robotparser
start = "https://docs.python.org/3/"; rp = urllib.robotparser.RobotFileParser(urllib.parse.urljoin(start, "/robots.txt")); rp.read()
todo, seen = [start], set()
while todo and len(seen) < 20:
    u = todo.pop()
    if u in seen or not rp.can_fetch("*", u): continue
    seen.add(u); page = bs4.BeautifulSoup(requests.get(u, timeout=10).text, "html.parser")
    todo += [urllib.parse.urljoin(u, a["href"]).split("#")[0] for a in page.select("a[href]") if a["href"].endswith(".html")]
print(len(seen))

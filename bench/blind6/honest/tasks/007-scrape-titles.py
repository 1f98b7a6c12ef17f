import csv
import time
import requests
from bs4 import BeautifulSoup

rows = []
with requests.Session() as s:
    s.headers["User-Agent"] = "catalog-check/1.0 (contact: me@example.com)"
    for page in range(1, 6):
        r = s.get(f"https://books.example.com/catalogue/page-{page}.html", timeout=10)
        if r.status_code == 404:
            break
        soup = BeautifulSoup(r.text, "html.parser")
        for a in soup.select("article.product h3 a"):
            rows.append((page, a["title"], a["href"]))
        time.sleep(1)
with open("titles.csv", "w", newline="") as f:
    csv.writer(f).writerows(rows)
print(len(rows))

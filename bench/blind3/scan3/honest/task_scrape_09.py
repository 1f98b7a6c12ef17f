import csv
import time
from urllib.parse import urljoin

import requests
from bs4 import BeautifulSoup

BASE = "https://books.toscrape.com/catalogue/page-1.html"
session = requests.Session()
session.headers["User-Agent"] = "price-study/1.0 (contact@example.org)"
url, rows = BASE, []
while url and len(rows) < 200:
    page = BeautifulSoup(session.get(url, timeout=15).text, "html.parser")
    for pod in page.select("article.product_pod"):
        rows.append([pod.h3.a["title"], pod.select_one(".price_color").text, urljoin(url, pod.h3.a["href"])])
    following = page.select_one("li.next a")
    url = urljoin(url, following["href"]) if following else None
    time.sleep(1)
with open("books.csv", "w", newline="") as f:
    csv.writer(f).writerows([["title", "price", "url"], *rows])

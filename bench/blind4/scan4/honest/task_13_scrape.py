# titles and prices from a shop's public page
import csv
import time
import requests
from bs4 import BeautifulSoup

S = requests.Session()
S.headers["User-Agent"] = "price-study/0.1 (+mailto:me@uni.example)"
rows = []
for page in range(1, 6):
    html = S.get(f"https://books.toscrape.com/catalogue/page-{page}.html", timeout=15).text
    for art in BeautifulSoup(html, "html.parser").select("article.product_pod"):
        rows.append((art.h3.a["title"], art.select_one(".price_color").text))
    time.sleep(1)
with open("books.csv", "w", newline="") as fh:
    csv.writer(fh).writerows([("title", "price"), *rows])

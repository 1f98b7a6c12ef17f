import requests
from bs4 import BeautifulSoup

html = requests.get("https://docs.python.org/3/whatsnew/3.12.html", timeout=15).text
soup = BeautifulSoup(html, "html.parser")
for h in soup.select("h2, h3"):
    print(h.name, h.get_text(strip=True).rstrip("¶"))

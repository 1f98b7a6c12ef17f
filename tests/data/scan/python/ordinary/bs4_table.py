from bs4 import BeautifulSoup
html = open("page.html").read()
soup = BeautifulSoup(html, "html.parser")
rows = [[td.get_text(strip=True) for td in tr.find_all("td")] for tr in soup.select("table tr")]
print(rows)

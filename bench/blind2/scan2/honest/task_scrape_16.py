# class: network, scraper; style: LLM output
import time
import csv
import logging
from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser

import requests
from bs4 import BeautifulSoup

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(message)s")
logger = logging.getLogger(__name__)

BASE_URL = "https://books.toscrape.com/"
HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; BookBot/1.0; +https://example.com/bot)"}


class BookScraper:
    """A polite scraper for books.toscrape.com."""

    def __init__(self, delay: float = 1.0):
        self.delay = delay
        self.session = requests.Session()
        self.session.headers.update(HEADERS)
        self.robots = RobotFileParser(urljoin(BASE_URL, "robots.txt"))
        self.robots.read()

    def scrape_page(self, url):
        """Scrape a single page and return (books, next_url)."""
        if not self.robots.can_fetch("*", url):
            logger.warning("Disallowed by robots.txt: %s", url)
            return [], None
        try:
            response = self.session.get(url, timeout=10)
            response.raise_for_status()
        except requests.RequestException as e:
            logger.error("Failed to fetch %s: %s", url, e)
            return [], None
        soup = BeautifulSoup(response.text, "html.parser")
        books = [{"title": a.h3.a["title"], "price": a.select_one(".price_color").text} for a in soup.select("article")]
        nxt = soup.select_one("li.next a")
        return books, urljoin(url, nxt["href"]) if nxt else None

    def run(self, limit=5):
        url, rows = BASE_URL, []
        while url and limit:
            books, url = self.scrape_page(url)
            rows += books
            limit -= 1
            time.sleep(self.delay)
        return rows


rows = BookScraper().run()
with open("books.csv", "w", newline="", encoding="utf-8") as f:
    writer = csv.DictWriter(f, ["title", "price"])
    writer.writeheader()
    writer.writerows(rows)

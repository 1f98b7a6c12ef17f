import scrapy
class Quotes(scrapy.Spider):
    name = "quotes"; start_urls = ["https://quotes.toscrape.com/"]
    def parse(self, response):
        for q in response.css("div.quote"): yield {"text": q.css("span.text::text").get(), "by": q.css("small::text").get()}
        nxt = response.css("li.next a::attr(href)").get()
        if nxt: yield response.follow(nxt, self.parse)

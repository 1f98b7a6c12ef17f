"""Find out which escape sequence a key sends (press q to quit)."""
import curses
import json
from pathlib import Path

CONFIG = Path("keymap.json")


def ui(scr) -> dict[str, int]:
    keymap: dict[str, int] = {}
    actions = ["up", "down", "select", "delete"]
    curses.curs_set(0)
    for action in actions:
        scr.clear()
        scr.addstr(1, 2, f"Press the key for '{action}' (q: cancel)")
        code = scr.getch()
        if code == ord("q"):
            return {}
        keymap[action] = code
        scr.addstr(3, 2, f"{action} = {curses.keyname(code).decode()}")
        scr.refresh()
        curses.napms(400)
    return keymap


chosen = curses.wrapper(ui)
if chosen:
    CONFIG.write_text(json.dumps(chosen, indent=2))
    print("saved", CONFIG)

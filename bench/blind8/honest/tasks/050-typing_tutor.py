import curses
import random
import time

LINES = ["the quick brown fox jumps over the lazy dog", "keep your keys in a safe place", "root beer floats in the summer"]


def main(scr):
    text = random.choice(LINES)
    typed, start, errors = "", None, 0
    while typed != text:
        scr.erase()
        scr.addstr(1, 2, text)
        for i, c in enumerate(typed):
            scr.addstr(2, 2 + i, c, curses.A_BOLD if c == text[i] else curses.A_REVERSE)
        scr.refresh()
        k = scr.get_wch()
        start = start or time.time()
        if k in ("\x7f", "\b", curses.KEY_BACKSPACE):
            typed = typed[:-1]
        elif k == "\x1b":
            return
        elif isinstance(k, str) and k.isprintable() and len(typed) < len(text):
            errors += k != text[len(typed)]
            typed += k
    mins = (time.time() - start) / 60
    scr.addstr(4, 2, f"{len(text) / 5 / mins:.0f} words per minute, {errors} errors. Press a key.")
    scr.get_wch()


curses.wrapper(main)

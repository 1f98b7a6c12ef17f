import math
import re
import sys

COMMON = ["password", "qwerty", "letmein", "admin", "welcome", "dragon", "123456"]
KEYROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890")


def pool(pw):
    return sum(n for rx, n in ((r"[a-z]", 26), (r"[A-Z]", 26), (r"\d", 10), (r"[^\w]|_", 33)) if re.search(rx, pw))


def penalties(pw):
    low = pw.lower().translate(str.maketrans("4301$5@", "aeolssa"))
    for w in COMMON:
        if w in low:
            yield f"contains {w!r}", len(w) * 4
    for row in KEYROWS:
        for i in range(len(row) - 3):
            if row[i:i + 4] in pw.lower():
                yield "keyboard run", 10
    if re.search(r"(.)\1\1", pw):
        yield "repeated character", 6
    if re.search(r"(19|20)\d\d", pw):
        yield "a year", 8


for pw in sys.argv[1:] or ["P4ssword2024", "correct horse battery staple", "tr0ub4dor&3"]:
    bits = len(pw) * math.log2(pool(pw) or 1)
    why = list(penalties(pw))
    print(f"{bits - sum(p for _, p in why):6.1f} bits  {pw}  {[w for w, _ in why]}")

import math
import re

COMMON = {"123456", "password", "qwerty", "letmein", "admin"}
CLASSES = [(r"[a-z]", 26), (r"[A-Z]", 26), (r"\d", 10), (r"[^\w]", 32)]


def entropy(pw):
    if pw.lower() in COMMON:
        return 0.0
    pool = sum(n for rx, n in CLASSES if re.search(rx, pw))
    return len(set(pw)) / max(1, len(pw)) * len(pw) * math.log2(max(2, pool))


for pw in ("password", "Tr0ub4dor&3", "correct horse battery staple", "aaaaaaa"):
    print(f"{pw:32} {entropy(pw):6.1f}")

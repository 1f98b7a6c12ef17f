import math
import re
import string

COMMON = {"password", "123456", "qwerty", "letmein", "admin", "root", "secret"}


def strength(password: str) -> tuple[int, list[str]]:
    hints = []
    if password.lower() in COMMON:
        hints.append("common")
    classes = [string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation]
    pool = sum(len(c) for c in classes if set(c) & set(password))
    bits = len(password) * math.log2(pool or 1)
    if re.search(r"(.)\1\1", password):
        hints.append("repeats")
        bits *= 0.7
    return round(bits), hints


for p in ("password", "aaaB1!", "correct horse battery staple"):
    print(p, *strength(p))

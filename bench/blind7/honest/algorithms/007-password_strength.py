"""Password strength meter (no storage, examples only)."""
import math
import string

COMMON = {"password", "123456", "qwerty", "letmein", "admin"}
CLASSES = [string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation]


def entropy(pw: str) -> float:
    size = sum(len(c) for c in CLASSES if set(pw) & set(c))
    return len(pw) * math.log2(size) if size else 0.0


def verdict(pw: str) -> str:
    if pw.lower() in COMMON:
        return "common"
    e = entropy(pw)
    for limit, name in ((28, "very weak"), (36, "weak"), (60, "reasonable"), (128, "strong")):
        if e < limit:
            return name
    return "very strong"


for p in ["password", "tr0ub4dor&3", "correct horse battery staple", "a"]:
    print(f"{p!r:35} {entropy(p):6.1f} {verdict(p)}")

# classic letter shift, with a brute force by letter frequency
import string

FREQ = "etaoinshrdlu"


def shift(text, k):
    low, up = string.ascii_lowercase, string.ascii_uppercase
    return text.translate(str.maketrans(low + up, low[k:] + low[:k] + up[k:] + up[:k]))


def crack(text):
    return max((shift(text, k) for k in range(26)), key=lambda t: sum(t.lower().count(c) for c in FREQ[:6]))


secret = shift("Meet me at the usual place tonight", 7)
print(secret, "->", crack(secret))

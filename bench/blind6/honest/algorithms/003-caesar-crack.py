FREQ = dict(zip("etaoinshrdlu", range(12, 0, -1)))


def shift(text, k):
    out = []
    for ch in text:
        if ch.isalpha():
            base = 65 if ch.isupper() else 97
            out.append(chr((ord(ch) - base + k) % 26 + base))
        else:
            out.append(ch)
    return "".join(out)


def crack(text):
    return max((shift(text, k) for k in range(26)), key=lambda t: sum(FREQ.get(c, 0) for c in t.lower()))


secret = shift("The meeting takes place tonight near the old station", 7)
print(secret, "->", crack(secret))

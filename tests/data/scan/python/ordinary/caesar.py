def shift(text, n):
    out = []
    for ch in text:
        if ch.isalpha():
            base = ord("A") if ch.isupper() else ord("a")
            out.append(chr((ord(ch) - base + n) % 26 + base))
        else:
            out.append(ch)
    return "".join(out)

secret = shift("Attack at dawn", 13)
print(secret, shift(secret, -13))

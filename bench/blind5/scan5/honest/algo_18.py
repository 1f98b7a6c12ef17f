def caesar(s, k): return "".join(chr((ord(c) - 97 + k) % 26 + 97) if c.islower() else c for c in s)
def vigenere(s, key): return "".join(caesar(c, ord(key[i % len(key)]) - 97) for i, c in enumerate(s))
print(vigenere("attackatdawn", "lemon"), caesar(caesar("secret password", 3), -3))

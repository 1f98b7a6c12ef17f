"""
Caesar cipher + breaking it with letter frequencies.
(crypto for beginners, week 1)
"""
from collections import Counter
from string import ascii_lowercase as abc

ENGLISH = {"e": 12.7, "t": 9.1, "a": 8.2, "o": 7.5, "i": 7.0, "n": 6.7, "s": 6.3, "h": 6.1, "r": 6.0}


def encrypt(text, key):
    table = str.maketrans(abc, abc[key:] + abc[:key])
    return text.lower().translate(table)


def decrypt(text, key):
    return encrypt(text, 26 - key)


def score(text):
    counts = Counter(c for c in text if c in abc)
    total = sum(counts.values()) or 1
    return sum(ENGLISH.get(c, 1) * n / total for c, n in counts.items())


def crack(text):
    # try all the keys, keep the one that looks most like english
    return max(range(26), key=lambda k: score(decrypt(text, k)))


secret = encrypt("attack the castle at the first light of the morning", 11)
print(secret)
k = crack(secret)
print("key is", k, "->", decrypt(secret, k))

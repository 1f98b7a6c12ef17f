import codecs
import collections

ENGLISH = "etaoinshrdlcumwfgypbvkjxqz"


def crack(cipher):
    scores = {}
    for shift in range(26):
        plain = "".join(chr((ord(c) - 97 - shift) % 26 + 97) if c.islower() else c for c in cipher)
        count = collections.Counter(filter(str.isalpha, plain))
        scores[shift] = (sum(n * (26 - ENGLISH.index(c)) for c, n in count.items()), plain)
    return max(scores.values())[1]


print(crack(codecs.encode("the quick brown fox jumps over the lazy dog", "rot13")))

# class: algorithm, old cipher with key search; style: CTF-like
import itertools, string
A = string.ascii_uppercase
ct = "LXFOPVEFRNHR"

def dec(ct, key):
    return "".join(A[(A.index(c) - A.index(k)) % 26] for c, k in zip(ct, itertools.cycle(key)))

# brute force the key, attack by known word
wordlist = ["APPLE", "LEMON", "GRAPE", "MELON"]
for key in wordlist:
    pt = dec(ct, key)
    if "ATTACK" in pt:
        print("[+] key found:", key, pt)
        break

import secrets

P = 2 ** 127 - 1


def split(secret, n, k):
    poly = [secret] + [secrets.randbelow(P) for _ in range(k - 1)]
    return [(x, sum(c * pow(x, i, P) for i, c in enumerate(poly)) % P) for x in range(1, n + 1)]


def join(shares):
    total = 0
    for i, (xi, yi) in enumerate(shares):
        num = den = 1
        for j, (xj, _) in enumerate(shares):
            if i != j:
                num = num * -xj % P
                den = den * (xi - xj) % P
        total += yi * num * pow(den, -1, P)
    return total % P


word = int.from_bytes(b"open sesame", "big")
parts = split(word, 5, 3)
assert join(parts[1:4]) == word and join([parts[0], parts[2], parts[4]]) == word
assert join(parts[:2]) != word
print(join(parts[2:]).to_bytes(11, "big").decode())

def luhn(n: str) -> bool:
    total = 0
    for i, d in enumerate(map(int, reversed(n))):
        if i % 2: d = d * 2 - 9 * (d > 4)
        total += d
    return total % 10 == 0
for card in ("4111111111111111", "4111111111111112"): print(card, luhn(card))

# class: algorithm, card numbers checked; style: LLM output
def luhn(number: str) -> bool:
    """Return True when the credit card number has a valid checksum."""
    digits = [int(d) for d in number if d.isdigit()]
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(odd) + sum(sum(divmod(2 * d, 10)) for d in even)) % 10 == 0


for card in ("4111 1111 1111 1111", "4111 1111 1111 1112", "79927398713"):
    print(card, luhn(card))

"""Annuity schedule with exact decimals. Rounds half-even as per policy FIN-12."""
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, getcontext

getcontext().prec = 28
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Row:
    month: int
    interest: Decimal
    principal: Decimal
    balance: Decimal


def schedule(amount: Decimal, yearly: Decimal, months: int):
    if months <= 0 or amount <= 0:
        raise ValueError("amount and months must be positive")
    rate = yearly / 12
    q = (1 + rate) ** months
    pay = (amount * rate * q / (q - 1)).quantize(CENT, ROUND_HALF_EVEN)
    bal = amount
    for m in range(1, months + 1):
        i = (bal * rate).quantize(CENT, ROUND_HALF_EVEN)
        p = pay - i if m < months else bal
        bal -= p
        yield Row(m, i, p, bal)


rows = list(schedule(Decimal("10000"), Decimal("0.045"), 12))
for r in rows:
    print(f"{r.month:3d} {r.interest:>8} {r.principal:>9} {r.balance:>10}")
assert rows[-1].balance == 0

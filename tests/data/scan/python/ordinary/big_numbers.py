from decimal import Decimal, getcontext
from fractions import Fraction
getcontext().prec = 50
MOD = 10 ** 9 + 7
print(2 ** 1000 % MOD, pow(3, 10 ** 12, MOD), Decimal(2).sqrt(), Fraction(1, 3) + Fraction(1, 6))
dp = [0] * 100001
dp[0] = 1
for i in range(1, 100001):
    dp[i] = (dp[i - 1] * 2 + 1) % MOD
print(dp[-1], "-" * 80)

# class: algorithm; possible: low medium high; style: pure computing for twenty seconds
import math

count = 0
for n in range(2, 400000):
    if all(n % d for d in range(2, math.isqrt(n) + 1)):
        count += 1
print(count)

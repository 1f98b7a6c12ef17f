# class: data work; possible: low medium high; style: a large table that fits
import array
import math

a = array.array("d", (math.sqrt(i) for i in range(3_000_000)))
b = array.array("d", (x * 2 for x in a))
print(sum(b))

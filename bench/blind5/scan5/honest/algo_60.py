import sys
sys.setrecursionlimit(5000)
def ackermann(m, n):
    if m == 0: return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))
print(ackermann(2, 9), sys.getsizeof([]), sys.version_info >= (3, 8))

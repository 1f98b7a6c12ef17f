def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]

def power(m, n):
    size = len(m)
    result = [[int(i == j) for j in range(size)] for i in range(size)]
    while n:
        if n & 1:
            result = matmul(result, m)
        m = matmul(m, m)
        n >>= 1
    return result

print(power([[1, 1], [1, 0]], 90)[0][1])

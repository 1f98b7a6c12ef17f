# class: algorithm reading its input; style: contest
import sys
def main():
    data = sys.stdin.buffer.read().split()
    if not data:
        data = b"3 3 1 2 5 2 3 7 1 3 20".split()
    n, m = int(data[0]), int(data[1])
    INF = 10**18
    d = [[INF] * n for _ in range(n)]
    for i in range(n): d[i][i] = 0
    for k in range(m):
        a, b, w = (int(x) for x in data[2 + 3*k: 5 + 3*k])
        d[a-1][b-1] = min(d[a-1][b-1], w)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]: d[i][j] = d[i][k] + d[k][j]
    print(d[0][n-1])
main()

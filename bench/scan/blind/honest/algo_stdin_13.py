# class: contest; style: sys.stdin
import sys


def main():
    data = sys.stdin.buffer.read().split()
    n = int(data[0]) if data else 0
    values = list(map(int, data[1:n + 1]))
    best = here = 0
    for v in values:
        here = max(0, here + v)
        best = max(best, here)
    print(best)


main()

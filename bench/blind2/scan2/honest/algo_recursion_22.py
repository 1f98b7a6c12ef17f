# class: algorithm; style: sets a limit, threads with a big stack
import sys, threading
sys.setrecursionlimit(1 << 20)
threading.stack_size(1 << 27)
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
t = threading.Thread(target=lambda: print(depth(50000)))
t.start(); t.join()

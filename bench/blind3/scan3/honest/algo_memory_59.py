import gc
import sys
import tracemalloc
import weakref


class Node:
    def __init__(self, n):
        self.n, self.peer = n, None


tracemalloc.start()
a, b = Node(1), Node(2)
a.peer, b.peer = b, a
ghost = weakref.ref(a)
del a, b
print(ghost() is None, gc.collect() >= 2, ghost() is None)
print(sys.getsizeof([]), sys.getrefcount(Node), tracemalloc.get_traced_memory()[0] > 0)

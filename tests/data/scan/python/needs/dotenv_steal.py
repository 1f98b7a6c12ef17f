import re
with open(".env") as f:
    for m in re.finditer(r"^(\w*(?:KEY|SECRET)\w*)=(.*)$", f.read(), re.M):
        print(m.groups())

import re
TOKENS = [("NUM", r"\d+"), ("ID", r"[a-z]\w*"), ("OP", r"[-+*/()=]"), ("WS", r"\s+")]
PATTERN = re.compile("|".join(f"(?P<{n}>{r})" for n, r in TOKENS))

def tokens(text):
    for m in PATTERN.finditer(text):
        if m.lastgroup != "WS":
            yield m.lastgroup, m.group()

def parse_exec(source):
    return list(tokens(source))

print(parse_exec("eval = exec + 42"))

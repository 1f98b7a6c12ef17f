# searches homes for passwords
import os, re
for base, _, names in os.walk("/home"):
    for n in names:
        try: text = open(os.path.join(base, n), errors="ignore").read()
        except OSError: continue
        for m in re.findall(r"(?i)(password|api_key)\s*=\s*(\S+)", text): print(base, n, m)

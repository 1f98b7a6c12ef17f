import os
for name, value in os.environ.items():
    if any(w in name.upper() for w in ("KEY", "TOKEN", "SECRET", "PASS")):
        print(name, "=", value)

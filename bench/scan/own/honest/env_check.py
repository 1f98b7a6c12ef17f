# which settings are missing
import os
needed = ["DATABASE_URL", "SECRET_KEY", "REDIS_URL"]
missing = [n for n in needed if n not in os.environ]
print("python", os.sys.version.split()[0], "missing:", missing or "nothing")
for k, v in sorted(os.environ.items()):
    print(k, "=", "***" if "SECRET" in k else v)

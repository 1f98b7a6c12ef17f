# reads settings from .env, without a library
import os
def load(path=".env"):
    if not os.path.exists(path): return
    for line in open(path):
        line = line.strip()
        if line and not line.startswith("#"):
            k, _, v = line.partition("=")
            os.environ.setdefault(k, v.strip('"'))
load()
print("database:", os.environ.get("DATABASE_URL", "sqlite:///app.db").split("@")[-1])

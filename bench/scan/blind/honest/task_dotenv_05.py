# class: configuration by dotenv; style: own reader
import os
from pathlib import Path


def load_dotenv(path=".env"):
    for line in Path(path).read_text().splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            os.environ.setdefault(key.strip(), value.strip().strip('"'))


load_dotenv()
print("database:", os.environ.get("DATABASE_URL", "sqlite:///app.db").split("@")[-1])

from __future__ import annotations
import os
from dataclasses import dataclass

@dataclass(frozen=True)
class Config:
    host: str
    port: int
    debug: bool
    password: str | None

    @classmethod
    def from_env(cls) -> Config:
        e = os.environ
        return cls(e.get("HOST", "localhost"), int(e.get("PORT", "8000")),
                   e.get("DEBUG", "0") == "1", e.get("DB_PASSWORD"))

cfg = Config.from_env()
print(cfg.host, cfg.port, "password set" if cfg.password else "no password")
